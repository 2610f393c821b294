//===- Graph.cpp - graphs of the simulated driver -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <dlfcn.h>
#include <string>

using namespace amp::sim;

void CUgraphNode_st::run(CUcontext context) {
  switch (kind) {
  case Kind::Kernel:
    return launch.run(context);
  case Kind::Copy:
    if (!context->sticky && checkCopy(copy) == CUDA_SUCCESS)
      runCopy(copy);
    return;
  case Kind::Other:
    return work();
  }
}

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

AMP_SIM_API cuStreamBeginCapture_v2(CUstream handle, int) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(handle);
  // The default stream cannot be captured.
  if (!stream || stream == call.context->defaultStream.get())
    return stream ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
                  : CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture)
    return CUDA_ERROR_INVALID_VALUE;
  auto *graph = new CUgraph_st();
  graph->id = ++call.driver.numCaptures;
  call.driver.graphs.insert(graph);
  stream->capture = graph;
  stream->lastNode = nullptr;
  stream->isOrigin = true;
  return CUDA_SUCCESS;
}

AMP_SIM_API cuStreamEndCapture(CUstream handle, CUgraph *graph) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(handle);
  if (!stream || !stream->capture || !stream->isOrigin)
    return CUDA_ERROR_INVALID_VALUE;
  *graph = stream->capture;
  for (CUstream other : call.driver.streams)
    if (other->capture == *graph) {
      other->capture = nullptr;
      other->lastNode = nullptr;
      other->isOrigin = false;
    }
  for (CUevent event : call.driver.events)
    if (event->capture == *graph)
      event->capture = nullptr;
  return CUDA_SUCCESS;
}

AMP_SIM_API cuStreamIsCapturing(CUstream handle, int *status) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(handle);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  *status = stream->capture ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                            : CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}

AMP_SIM_API cuStreamGetCaptureInfo_v2(CUstream handle, int *status,
                                      uint64_t *id, CUgraph *graph,
                                      const CUgraphNode **dependencies,
                                      size_t *numDependencies) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(handle);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  *status = stream->capture ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                            : CU_STREAM_CAPTURE_STATUS_NONE;
  if (!stream->capture)
    return CUDA_SUCCESS;
  if (id)
    *id = stream->capture->id;
  if (graph)
    *graph = stream->capture;
  if (dependencies)
    *dependencies = &stream->lastNode;
  if (numDependencies)
    *numDependencies = stream->lastNode ? 1 : 0;
  return CUDA_SUCCESS;
}

AMP_SIM_API cuThreadExchangeStreamCaptureMode(int *mode) {
  static thread_local int current = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::swap(current, *mode);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

AMP_SIM_API cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                        unsigned long long) {
  Call call;
  if (call.error)
    return call.error;
  if (!call.driver.graphs.count(graph))
    return CUDA_ERROR_INVALID_HANDLE;
  *exec = new CUgraphExec_st();
  for (auto &node : graph->nodes) {
    (*exec)->nodes.push_back(*node);
    (*exec)->nodes.back().source = node.get();
  }
  call.driver.execs.insert(*exec);
  return CUDA_SUCCESS;
}

/// The copy of the graph's node, of the kind, in the executable graph; or null.
static CUgraphNode_st *findNode(Call &call, CUgraphExec exec, CUgraphNode node,
                                CUgraphNode_st::Kind kind) {
  if (!call.driver.execs.count(exec))
    return nullptr;
  for (CUgraphNode_st &found : exec->nodes)
    if (found.source == node && found.kind == kind)
      return &found;
  return nullptr;
}

AMP_SIM_API
cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                  const CUDA_KERNEL_NODE_PARAMS *params) {
  Call call;
  if (call.error)
    return call.error;
  CUgraphNode_st *found =
      findNode(call, exec, node, CUgraphNode_st::Kind::Kernel);
  if (!found)
    return CUDA_ERROR_INVALID_VALUE;
  const Dim3 &cluster = found->launch.config.cluster;
  return found->launch.set(
      params->func, {params->gridDimX, params->gridDimY, params->gridDimZ},
      {params->blockDimX, params->blockDimY, params->blockDimZ},
      {cluster.x, cluster.y, cluster.z}, params->sharedMemBytes,
      params->kernelParams, params->extra);
}

AMP_SIM_API cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_MEMCPY3D *copy,
                                           CUcontext) {
  Call call;
  if (call.error)
    return call.error;
  CUgraphNode_st *found =
      findNode(call, exec, node, CUgraphNode_st::Kind::Copy);
  if (!found)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult error = checkCopy(*copy))
    return error;
  found->copy = *copy;
  return CUDA_SUCCESS;
}

AMP_SIM_API cuGraphLaunch(CUgraphExec exec, CUstream handle) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(handle);
  if (!stream || !call.driver.execs.count(exec))
    return CUDA_ERROR_INVALID_HANDLE;
  // Later changes of the nodes are for later launches.
  CUcontext context = call.context;
  call.driver.enqueue(stream, [nodes = exec->nodes, context]() mutable {
    for (CUgraphNode_st &node : nodes)
      node.run(context);
  });
  return CUDA_SUCCESS;
}

AMP_SIM_API cuGraphExecDestroy(CUgraphExec exec) {
  Call call;
  if (!call.driver.execs.erase(exec))
    return CUDA_ERROR_INVALID_HANDLE;
  delete exec;
  return CUDA_SUCCESS;
}

AMP_SIM_API cuGraphDestroy(CUgraph graph) {
  Call call;
  if (!call.driver.graphs.erase(graph))
    return CUDA_ERROR_INVALID_HANDLE;
  delete graph;
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Functions by name
//===----------------------------------------------------------------------===//

AMP_SIM_API cuGetProcAddress_v2(const char *symbol, void **function, int,
                                uint64_t, int *status) {
  Dl_info self;
  void *library = nullptr;
  if (dladdr(reinterpret_cast<void *>(&cuGetProcAddress_v2), &self))
    library = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  *function = nullptr;
  if (library) {
    for (const char *suffix : {"_v2", ""})
      if (!*function)
        *function = dlsym(library, (std::string(symbol) + suffix).c_str());
    dlclose(library);
  }
  if (status)
    *status = *function ? 0 : 1;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
