//===- Module.cpp - modules and launches of the simulated driver ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cstring>

using namespace amp::sim;

AMP_SIM_API cuModuleLoadData(CUmodule *module, const void *data) {
  Call call;
  if (call.error)
    return call.error;
  if (!data)
    return CUDA_ERROR_INVALID_VALUE;
  auto *image = static_cast<const ampSimImage *>(data);
  if (std::memcmp(image->magic, AMP_SIM_IMAGE_MAGIC, 8) != 0) {
    report("the simulator runs images of amp-gpu-simulate only, which begin "
           "with '" AMP_SIM_IMAGE_MAGIC "'; compile with --target=sim");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  auto loaded = std::make_unique<CUmod_st>();
  loaded->context = call.context;
  for (uint64_t i = 0; i < image->numKernels; ++i) {
    auto function = std::make_unique<CUfunc_st>();
    function->kernel = &image->kernels[i];
    function->module = loaded.get();
    function->maxDynamicShared -=
        static_cast<int>(function->kernel->staticSharedBytes);
    loaded->functions.push_back(std::move(function));
  }
  *module = loaded.release();
  call.driver.modules.insert(*module);
  return CUDA_SUCCESS;
}

AMP_SIM_API cuModuleLoadDataEx(CUmodule *module, const void *data, unsigned,
                               int *, void **) {
  return cuModuleLoadData(module, data);
}

AMP_SIM_API cuModuleUnload(CUmodule module) {
  Call call;
  if (!call.driver.modules.count(module))
    return CUDA_ERROR_INVALID_HANDLE;
  // Work that was put off may still launch its kernels.
  call.driver.drainAll(module->context);
  call.driver.modules.erase(module);
  delete module;
  return CUDA_SUCCESS;
}

AMP_SIM_API cuModuleGetFunction(CUfunction *function, CUmodule module,
                                const char *name) {
  Call call;
  if (call.error)
    return call.error;
  if (!call.driver.modules.count(module))
    return CUDA_ERROR_INVALID_HANDLE;
  for (auto &found : module->functions)
    if (std::strcmp(found->kernel->name, name) == 0) {
      *function = found.get();
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_NOT_FOUND;
}

/// Whether the handle is a function of a module that is loaded.
static bool isFunction(CUfunction function) {
  for (CUmodule module : Driver::get().modules)
    for (auto &found : module->functions)
      if (found.get() == function)
        return true;
  return false;
}

AMP_SIM_API cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  Call call;
  if (call.error)
    return call.error;
  if (!isFunction(function))
    return CUDA_ERROR_INVALID_HANDLE;
  const ampSimKernel &kernel = *function->kernel;
  switch (attribute) {
  case 0: // CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
    *value = kernel.maxThreads ? static_cast<int>(kernel.maxThreads) : 1024;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = static_cast<int>(kernel.staticSharedBytes);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = function->maxDynamicShared;
    return CUDA_SUCCESS;
  default:
    *value = 0;
    return CUDA_SUCCESS;
  }
}

AMP_SIM_API cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  Call call;
  if (call.error)
    return call.error;
  if (!isFunction(function))
    return CUDA_ERROR_INVALID_HANDLE;
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    return CUDA_SUCCESS;
  if (value < 0 || uint32_t(value) + function->kernel->staticSharedBytes >
                       Machine::getSharedLimit())
    return CUDA_ERROR_INVALID_VALUE;
  function->maxDynamicShared = value;
  return CUDA_SUCCESS;
}

AMP_SIM_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count, CUfunction,
                                                        int, size_t) {
  *count = 1;
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

CUresult KernelLaunch::set(CUfunction newFunction, const int64_t (&grid)[3],
                           const int64_t (&block)[3],
                           const int64_t (&cluster)[3], unsigned sharedBytes,
                           void **params, void **extra) {
  if (!isFunction(newFunction))
    return CUDA_ERROR_INVALID_HANDLE;
  const ampSimKernel &kernel = *newFunction->kernel;
  LaunchConfig newConfig;
  newConfig.kernel = &kernel;
  std::string wrong =
      checkDimensions(grid, block, cluster, sharedBytes, newConfig);
  if (wrong.empty() && int64_t(sharedBytes) > newFunction->maxDynamicShared)
    wrong = "the block wants " + std::to_string(sharedBytes) +
            " bytes of dynamic shared memory, but may have " +
            std::to_string(newFunction->maxDynamicShared) +
            "; cuFuncSetAttribute allows more";
  if (wrong.empty() && extra)
    wrong = "the simulator takes parameters one by one, not packed";
  if (wrong.empty() && kernel.numParams && !params)
    wrong = "there are no parameters";
  if (!wrong.empty()) {
    report("launch of kernel '%s': %s", kernel.name, wrong.c_str());
    return CUDA_ERROR_INVALID_VALUE;
  }
  function = newFunction;
  config = newConfig;
  values.clear();
  for (uint32_t i = 0; i < kernel.numParams; ++i) {
    auto *bytes = static_cast<const char *>(params[i]);
    values.emplace_back(bytes, bytes + kernel.paramBytes[i]);
  }
  return CUDA_SUCCESS;
}

void KernelLaunch::run(CUcontext context) {
  if (context->sticky)
    return;
  std::vector<void *> params;
  for (auto &value : values)
    params.push_back(value.data());
  config.params = params.data();
  config.memory = &Driver::get().memory;
  Fault fault = Machine::get().run(config);
  config.params = nullptr;
  switch (fault.kind) {
  case Fault::Kind::None:
    return;
  case Fault::Kind::IllegalAddress:
    context->sticky = CUDA_ERROR_ILLEGAL_ADDRESS;
    break;
  case Fault::Kind::Misaligned:
    context->sticky = CUDA_ERROR_MISALIGNED_ADDRESS;
    break;
  default:
    context->sticky = CUDA_ERROR_LAUNCH_FAILED;
    break;
  }
  report("%s", fault.message.c_str());
}

AMP_SIM_API cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                             void **params, void **extra) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(config->hStream);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  int64_t cluster[3] = {1, 1, 1};
  // Grids run one after the other, also those that could overlap; but graphs
  // know such launches since CUDA 12.3 only.
  bool overlaps = false;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    overlaps |= config->attrs[i].id ==
                CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    if (config->attrs[i].id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      continue;
    const auto &size = config->attrs[i].value.clusterDim;
    cluster[0] = size.x;
    cluster[1] = size.y;
    cluster[2] = size.z;
  }
  KernelLaunch launch;
  CUresult error = launch.set(
      function, {config->gridDimX, config->gridDimY, config->gridDimZ},
      {config->blockDimX, config->blockDimY, config->blockDimZ}, cluster,
      config->sharedMemBytes, params, extra);
  if (error)
    return error;
  if (stream->capture && overlaps && call.driver.version < 12030) {
    stream->capture->isInvalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  if (stream->capture) {
    auto node = std::make_unique<CUgraphNode_st>();
    node->kind = CUgraphNode_st::Kind::Kernel;
    node->launch = std::move(launch);
    stream->lastNode = node.get();
    stream->capture->nodes.push_back(std::move(node));
    return CUDA_SUCCESS;
  }
  CUcontext context = call.context;
  call.driver.enqueue(stream,
                      [launch, context]() mutable { launch.run(context); });
  return CUDA_SUCCESS;
}

AMP_SIM_API cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                           unsigned gridZ, unsigned blockX, unsigned blockY,
                           unsigned blockZ, unsigned sharedBytes,
                           CUstream stream, void **params, void **extra) {
  CUlaunchConfig config;
  std::memset(&config, 0, sizeof config);
  config.gridDimX = gridX;
  config.gridDimY = gridY;
  config.gridDimZ = gridZ;
  config.blockDimX = blockX;
  config.blockDimY = blockY;
  config.blockDimZ = blockZ;
  config.sharedMemBytes = sharedBytes;
  config.hStream = stream;
  return cuLaunchKernelEx(&config, function, params, extra);
}
