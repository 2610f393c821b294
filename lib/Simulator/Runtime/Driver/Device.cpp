//===- Device.cpp - devices and contexts of the simulated driver ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace amp::sim;

static int64_t getNumber(const char *variable, int64_t otherwise) {
  const char *text = std::getenv(variable);
  return text && *text ? std::strtoll(text, nullptr, 10) : otherwise;
}

void amp::sim::report(const char *format, ...) {
  va_list list;
  va_start(list, format);
  std::fflush(stdout);
  std::fputs("amp-sim: error: ", stderr);
  std::vfprintf(stderr, format, list);
  std::fputc('\n', stderr);
  va_end(list);
}

std::vector<CUcontext> &amp::sim::getContextStack() {
  static thread_local std::vector<CUcontext> stack;
  return stack;
}

/// At exit, with AMP_SIM_LEAKS=1: memory that nobody has freed is an error.
static void checkLeaks() {
  Driver &driver = Driver::get();
  size_t count = 0, bytes = 0;
  uint64_t first = 0;
  for (auto &entry : driver.memory.getAll()) {
    if (entry.second.freed)
      continue;
    if (!count || entry.second.number < first)
      first = entry.second.number;
    ++count;
    bytes += entry.second.bytes;
  }
  if (!count)
    return;
  report("%zu allocations of %zu bytes were never freed; the first is number "
         "%llu",
         count, bytes, static_cast<unsigned long long>(first));
  std::_Exit(1);
}

Driver &Driver::get() {
  static Driver *driver = new Driver();
  return *driver;
}

CUresult Driver::initialize() {
  if (isInitialized)
    return CUDA_SUCCESS;
  int64_t numDevices = getNumber("AMP_SIM_DEVICES", 1);
  if (numDevices <= 0)
    return CUDA_ERROR_NO_DEVICE;
  for (int64_t i = 0; i < numDevices; ++i) {
    contexts.push_back(std::make_unique<CUctx_st>());
    CUctx_st &context = *contexts.back();
    context.device = static_cast<int>(i);
    context.memoryBytes =
        static_cast<size_t>(getNumber("AMP_SIM_MEMORY", int64_t(16) << 30));
    context.defaultStream = std::make_unique<CUstream_st>();
    context.defaultStream->context = &context;
  }
  isDeferred = getNumber("AMP_SIM_DEFER", 0) != 0;
  version = static_cast<int>(getNumber("AMP_SIM_VERSION", version));
  if (getNumber("AMP_SIM_LEAKS", 0))
    std::atexit(checkLeaks);
  isInitialized = true;
  return CUDA_SUCCESS;
}

CUcontext Driver::getCurrent() {
  auto &stack = getContextStack();
  return stack.empty() ? nullptr : stack.back();
}

AMP_SIM_API cuInit(unsigned) {
  std::lock_guard<std::recursive_mutex> guard(Driver::get().lock);
  return Driver::get().initialize();
}

AMP_SIM_API cuDriverGetVersion(int *version) {
  *version = Driver::get().version;
  return CUDA_SUCCESS;
}

namespace {
struct ErrorText {
  CUresult error;
  const char *name, *text;
};
} // namespace

static const ErrorText *findError(CUresult error) {
  static const ErrorText table[] = {
      {0, "CUDA_SUCCESS", "no error"},
      {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
      {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
      {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
      {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
      {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
      {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
      {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
      {209, "CUDA_ERROR_NO_BINARY_FOR_GPU",
       "no kernel image is available for execution on the device"},
      {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
      {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
      {600, "CUDA_ERROR_NOT_READY", "device not ready"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS",
       "an illegal memory access was encountered"},
      {716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
      {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
      {801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
      {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
       "operation not permitted when stream is capturing"},
      {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
       "operation failed due to a previous error during capture"},
  };
  for (const ErrorText &entry : table)
    if (entry.error == error)
      return &entry;
  return nullptr;
}

AMP_SIM_API cuGetErrorName(CUresult error, const char **text) {
  const ErrorText *found = findError(error);
  *text = found ? found->name : nullptr;
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

AMP_SIM_API cuGetErrorString(CUresult error, const char **text) {
  const ErrorText *found = findError(error);
  *text = found ? found->text : nullptr;
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// The primary context of a device; null with an error in `result`.
static CUctx_st *findDevice(CUdevice device, CUresult &result) {
  Driver &driver = Driver::get();
  result = CUDA_SUCCESS;
  if (!driver.isInitialized)
    result = CUDA_ERROR_NOT_INITIALIZED;
  else if (device < 0 || size_t(device) >= driver.contexts.size())
    result = CUDA_ERROR_INVALID_DEVICE;
  return result ? nullptr : driver.contexts[size_t(device)].get();
}

AMP_SIM_API cuDeviceGetCount(int *count) {
  Driver &driver = Driver::get();
  if (!driver.isInitialized)
    return CUDA_ERROR_NOT_INITIALIZED;
  *count = static_cast<int>(driver.contexts.size());
  return CUDA_SUCCESS;
}

AMP_SIM_API cuDeviceGet(CUdevice *device, int ordinal) {
  CUresult result;
  if (findDevice(ordinal, result))
    *device = ordinal;
  return result;
}

AMP_SIM_API cuDeviceGetName(char *name, int length, CUdevice device) {
  CUresult result;
  if (findDevice(device, result))
    std::snprintf(name, size_t(length), AMP_SIM_DEVICE_NAME " %d", device);
  return result;
}

AMP_SIM_API cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  CUresult result;
  if (CUctx_st *context = findDevice(device, result))
    *bytes = context->memoryBytes;
  return result;
}

AMP_SIM_API cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  CUresult result;
  if (!findDevice(device, result))
    return result;
  // Ten times the major version plus the minor one.
  int capability = static_cast<int>(getNumber("AMP_SIM_CAPABILITY", 80));
  static const int table[][2] = {
      {1, 1024},  {2, 1024},    {3, 1024},   {4, 64},       {5, 2147483647},
      {6, 65535}, {7, 65535},   {8, 49152},  {10, 32},      {12, 65536},
      {13, 1000}, {36, 1000},   {37, 64},    {38, 1 << 20}, {39, 2048},
      {41, 1},    {81, 233472}, {82, 65536}, {97, 232448},  {106, 32},
      {115, 0},   {111, 1024},  {120, 1},
  };
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
    *value = capability / 10;
  else if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
    *value = capability % 10;
  else if (attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
    *value = static_cast<int>(getNumber("AMP_SIM_MULTIPROCESSORS", 4));
  else {
    for (const auto &entry : table)
      if (entry[0] == attribute) {
        *value = entry[1];
        return CUDA_SUCCESS;
      }
    report("the simulator does not know device attribute %d", attribute);
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

AMP_SIM_API cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  std::lock_guard<std::recursive_mutex> guard(Driver::get().lock);
  CUresult result;
  if (CUctx_st *found = findDevice(device, result)) {
    ++found->retained;
    *context = found;
  }
  return result;
}

AMP_SIM_API cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  std::lock_guard<std::recursive_mutex> guard(Driver::get().lock);
  CUresult result;
  CUctx_st *found = findDevice(device, result);
  if (!found)
    return result;
  if (!found->retained)
    return CUDA_ERROR_INVALID_CONTEXT;
  --found->retained;
  return CUDA_SUCCESS;
}

AMP_SIM_API cuCtxPushCurrent_v2(CUcontext context) {
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  getContextStack().push_back(context);
  return CUDA_SUCCESS;
}

AMP_SIM_API cuCtxPopCurrent_v2(CUcontext *context) {
  auto &stack = getContextStack();
  if (stack.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context)
    *context = stack.back();
  stack.pop_back();
  return CUDA_SUCCESS;
}

AMP_SIM_API cuCtxSetCurrent(CUcontext context) {
  auto &stack = getContextStack();
  if (!stack.empty())
    stack.pop_back();
  if (context)
    stack.push_back(context);
  return CUDA_SUCCESS;
}

AMP_SIM_API cuCtxGetCurrent(CUcontext *context) {
  *context = Driver::get().getCurrent();
  return CUDA_SUCCESS;
}

AMP_SIM_API cuCtxGetDevice(CUdevice *device) {
  Call call;
  if (call.context)
    *device = call.context->device;
  return call.context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

AMP_SIM_API cuCtxSynchronize() {
  Call call;
  if (call.error)
    return call.error;
  call.driver.drainAll(call.context);
  return call.context->sticky;
}
