//===- Graph.c - runs as CUDA graphs --------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

// An entry that is fit for graphs does the same launches whenever its shapes
// and scalars are the same. So a graph belongs to these, and only pointers can
// differ: then the entry's host code runs again, each launch is compared with
// the node that it became, and parameters that differ are set in the executable
// graph. The memory that the entry allocated stays with the graph.

struct node {
  CUgraphNode handle;
  int32_t kernel; // -1: a copy
  CUlaunchConfig config;
  CUlaunchAttribute attributes[2];
  unsigned char *params; // one after the other
  CUDA_MEMCPY3D copy;
};

struct graph {
  struct graph *next;
  unsigned char *key;
  size_t keyBytes;
  CUgraph graph;
  CUgraphExec exec; // null: not recorded yet
  struct node *nodes;
  int32_t numNodes, capacity;
  struct blocks blocks;
  uint64_t *blockBytes; // as asked for
  int64_t *resultShapes;
  /// Data of all arguments, then of all results, at the last launch.
  void **pointers;
  bool arePointersValid;
};

/// Shapes and scalars with which one entry keeps graphs.
enum { kMaxGraphs = 8 };

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static const ampValueInfo *infoOf(const struct ampCudaCall *call, int32_t i) {
  int32_t given = call->entry->numArguments;
  return i < given ? &call->entry->arguments[i]
                   : &call->entry->prepared[i - given];
}

/// Writes the key to `key`, where that is not null; returns its size.
static size_t writeKey(const struct ampCudaCall *call, unsigned char *key) {
  size_t bytes = 0;
  for (int32_t i = 0; i < call->numArguments; ++i) {
    const ampValueInfo *info = infoOf(call, i);
    const void *data = call->arguments[i].shape;
    size_t length = (size_t)info->rank * sizeof(int64_t);
    if (info->flags & AMP_VALUE_SCALAR) {
      data = call->arguments[i].data;
      length = ampDtypeSize(info->dtype);
    }
    if (key && length)
      memcpy(key + bytes, data, length);
    bytes += length;
  }
  return bytes;
}

struct graph *ampGraphFor(struct ampCudaCall *call) {
  size_t bytes = writeKey(call, NULL);
  unsigned char *key = malloc(bytes + 1);
  if (!key)
    return NULL; // a plain run needs less
  writeKey(call, key);
  int32_t count = 0;
  struct graph **last = NULL;
  for (struct graph **link = &call->state->graphs; *link;
       link = &(*link)->next) {
    struct graph *g = *link;
    ++count;
    last = link;
    if (g->keyBytes != bytes || memcmp(g->key, key, bytes) != 0)
      continue;
    free(key);
    *link = g->next;
    g->next = call->state->graphs;
    return call->state->graphs = g;
  }
  if (count >= kMaxGraphs) {
    // Destroys the one that was used longest ago.
    struct entryState rest = *call->state;
    rest.graphs = *last;
    *last = NULL;
    ampGraphsDestroy(call->model, &rest);
  }
  struct graph *g = calloc(1, sizeof *g);
  if (!g) {
    free(key);
    return NULL;
  }
  g->key = key;
  g->keyBytes = bytes;
  g->next = call->state->graphs;
  call->state->graphs = g;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Destruction
//===----------------------------------------------------------------------===//

/// Makes `g` one that is not recorded.
static void reset(struct ampModel *model, struct graph *g) {
  if (g->exec || g->blocks.count) {
    // It may be running on any stream.
    int mode = ampRelaxCapture();
    bool isIdle = ampDriver.cuCtxSynchronize() == CUDA_SUCCESS;
    ampRestoreCapture(mode);
    pthread_mutex_lock(&model->keptLock);
    for (int32_t i = 0; i < g->blocks.count; ++i)
      if (isIdle || !ampBlocksAdd(&model->kept, g->blocks.items[i]))
        ampPoolGive(model->device, g->blocks.items[i], model->captureStream);
    pthread_mutex_unlock(&model->keptLock);
  }
  if (g->exec)
    ampDriver.cuGraphExecDestroy(g->exec);
  if (g->graph)
    ampDriver.cuGraphDestroy(g->graph);
  for (int32_t i = 0; i < g->numNodes; ++i)
    free(g->nodes[i].params);
  free(g->nodes);
  free(g->blocks.items);
  free(g->blockBytes);
  free(g->resultShapes);
  free(g->pointers);
  struct graph fresh = {
      .next = g->next, .key = g->key, .keyBytes = g->keyBytes};
  *g = fresh;
}

void ampGraphsDestroy(struct ampModel *model, struct entryState *state) {
  while (state->graphs) {
    struct graph *g = state->graphs;
    state->graphs = g->next;
    reset(model, g);
    free(g->key);
    free(g);
  }
}

//===----------------------------------------------------------------------===//
// What the entry does
//===----------------------------------------------------------------------===//

_Noreturn static void askForRebuild(struct ampCudaCall *call) {
  call->needsRebuild = true;
  ampCallAbort(call, AMP_DRIVER_ERROR);
}

_Noreturn static void failOfMemory(struct ampCudaCall *call) {
  ampCallFail(call, AMP_OUT_OF_MEMORY, "out of host memory");
}

void *ampGraphAllocate(struct ampCudaCall *call, uint64_t bytes) {
  struct graph *g = call->graph;
  int32_t index = call->graphAllocation++;
  if (index < g->blocks.count) {
    if (g->blockBytes[index] != bytes)
      askForRebuild(call);
    return (void *)(uintptr_t)g->blocks.items[index]->pointer;
  }
  if (call->mode == CALL_UPDATE)
    askForRebuild(call);
  uint64_t *sizes = realloc(g->blockBytes, ((size_t)index + 1) * sizeof *sizes);
  if (!sizes)
    failOfMemory(call);
  g->blockBytes = sizes;
  sizes[index] = bytes;
  struct block *block;
  ampStatus status = ampPoolTake(call->model->device, bytes, call->stream,
                                 /*capturing=*/false, &block);
  if (status != AMP_OK)
    ampCallAbort(call, status);
  if (!ampBlocksAdd(&g->blocks, block)) {
    ampPoolGive(call->model->device, block, call->stream);
    failOfMemory(call);
  }
  return (void *)(uintptr_t)block->pointer;
}

/// Ends the call when a step of the capture failed.
static void check(struct ampCudaCall *call, CUresult error, const char *what) {
  if (error != CUDA_SUCCESS)
    ampCallAbort(call, ampDeviceError(call->model->device, error, what));
}

/// The node to be compared, or a new one.
static struct node *nextNode(struct ampCudaCall *call) {
  struct graph *g = call->graph;
  int32_t index = call->graphNode++;
  if (call->mode == CALL_UPDATE) {
    if (index >= g->numNodes)
      askForRebuild(call);
    return &g->nodes[index];
  }
  if (index == g->capacity) {
    int32_t capacity = g->capacity ? 2 * g->capacity : 16;
    struct node *nodes = realloc(g->nodes, (size_t)capacity * sizeof *nodes);
    if (!nodes)
      failOfMemory(call);
    g->nodes = nodes;
    g->capacity = capacity;
  }
  struct node *n = &g->nodes[g->numNodes++];
  memset(n, 0, sizeof *n);
  return n;
}

/// The node that the capture made last.
static CUgraphNode capturedNode(struct ampCudaCall *call) {
  int status = 0;
  uint64_t id = 0;
  CUgraph graph = NULL;
  const CUgraphNode *nodes = NULL;
  size_t count = 0;
  check(call,
        ampDriver.cuStreamGetCaptureInfo_v2(call->model->captureStream, &status,
                                            &id, &graph, &nodes, &count),
        "cannot record a graph");
  if (status != CU_STREAM_CAPTURE_STATUS_ACTIVE || count != 1)
    ampCallFail(call, AMP_DRIVER_ERROR,
                "cannot record a graph: the capture has %zu ends where one is "
                "expected",
                count);
  return nodes[0];
}

/// Whether node `n` is a launch of `kernel` with the attributes of `config`.
static bool isSameLaunch(const struct node *n, int32_t kernel,
                         const CUlaunchConfig *config) {
  return n->kernel == kernel && n->config.numAttrs == config->numAttrs &&
         memcmp(n->attributes, config->attrs, sizeof n->attributes) == 0;
}

static bool isSameSize(const CUlaunchConfig *a, const CUlaunchConfig *b) {
  return a->gridDimX == b->gridDimX && a->gridDimY == b->gridDimY &&
         a->gridDimZ == b->gridDimZ && a->blockDimX == b->blockDimX &&
         a->blockDimY == b->blockDimY && a->blockDimZ == b->blockDimZ &&
         a->sharedMemBytes == b->sharedMemBytes;
}

/// Notes the parameters; returns whether they are others than before.
static bool storeParams(struct node *n, const ampCudaKernelDesc *desc,
                        void **params) {
  bool isChanged = false;
  size_t offset = 0;
  for (int32_t i = 0; i < desc->numParams; ++i) {
    unsigned char *stored = n->params + offset;
    isChanged |= memcmp(stored, params[i], desc->paramBytes[i]) != 0;
    memcpy(stored, params[i], desc->paramBytes[i]);
    offset += desc->paramBytes[i];
  }
  return isChanged;
}

/// `attrs` of a launch has room for two.
void ampGraphKernel(struct ampCudaCall *call, int32_t kernel,
                    const CUlaunchConfig *config, void **params) {
  struct ampModel *model = call->model;
  const ampCudaKernelDesc *desc = &model->desc->kernels[kernel];
  struct node *n = nextNode(call);
  if (call->mode == CALL_RECORD) {
    size_t bytes = 1;
    for (int32_t i = 0; i < desc->numParams; ++i)
      bytes += desc->paramBytes[i];
    n->kernel = kernel;
    n->config = *config;
    memcpy(n->attributes, config->attrs, sizeof n->attributes);
    n->params = malloc(bytes);
    if (!n->params)
      failOfMemory(call);
    storeParams(n, desc, params);
    CUresult error = ampDriver.cuLaunchKernelEx(
        config, model->functions[kernel], params, NULL);
    if (error != CUDA_SUCCESS)
      ampCallAbort(
          call, ampSetDriverError(error, "kernel '%s' (%s): cannot be captured",
                                  desc->name, desc->location));
    n->handle = capturedNode(call);
    return;
  }
  if (!isSameLaunch(n, kernel, config))
    askForRebuild(call);
  bool isResized = !isSameSize(&n->config, config);
  if (!storeParams(n, desc, params) && !isResized)
    return;
  n->config = *config;
  CUDA_KERNEL_NODE_PARAMS node;
  memset(&node, 0, sizeof node);
  node.func = model->functions[kernel];
  node.gridDimX = config->gridDimX;
  node.gridDimY = config->gridDimY;
  node.gridDimZ = config->gridDimZ;
  node.blockDimX = config->blockDimX;
  node.blockDimY = config->blockDimY;
  node.blockDimZ = config->blockDimZ;
  node.sharedMemBytes = config->sharedMemBytes;
  node.kernelParams = params;
  if (ampDriver.cuGraphExecKernelNodeSetParams_v2(call->graph->exec, n->handle,
                                                  &node) != CUDA_SUCCESS)
    askForRebuild(call);
  ++model->graphUpdates;
}

void ampGraphCopy(struct ampCudaCall *call, const CUDA_MEMCPY3D *copy) {
  struct node *n = nextNode(call);
  bool isFlat = copy->Height == 1 && copy->Depth == 1;
  if (call->mode == CALL_RECORD) {
    n->kernel = -1;
    n->copy = *copy;
    CUstream stream = call->model->captureStream;
    check(call,
          isFlat
              ? ampDriver.cuMemcpyDtoDAsync_v2(copy->dstDevice, copy->srcDevice,
                                               copy->WidthInBytes, stream)
              : ampDriver.cuMemcpy3DAsync_v2(copy, stream),
          "cannot record a copy");
    n->handle = capturedNode(call);
    return;
  }
  if (n->kernel != -1)
    askForRebuild(call);
  if (memcmp(&n->copy, copy, sizeof *copy) == 0)
    return;
  // The driver updates copies of one dimension only.
  if (!isFlat || n->copy.Height != 1 || n->copy.Depth != 1 ||
      ampDriver.cuGraphExecMemcpyNodeSetParams(
          call->graph->exec, n->handle, copy, call->model->device->context) !=
          CUDA_SUCCESS)
    askForRebuild(call);
  n->copy = *copy;
  ++call->model->graphUpdates;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Compares the pointers of this call with those of the last launch, and notes
/// them.
static bool notePointers(struct ampCudaCall *call) {
  struct graph *g = call->graph;
  bool isSame = g->arePointersValid;
  int32_t count = 0;
  for (int32_t i = 0; i < call->numArguments; ++i, ++count) {
    void *data = infoOf(call, i)->flags & AMP_VALUE_SCALAR
                     ? NULL
                     : call->arguments[i].data;
    isSame = isSame && g->pointers[count] == data;
    g->pointers[count] = data;
  }
  for (int32_t i = 0; i < call->numResults; ++i, ++count) {
    isSame = isSame && g->pointers[count] == call->results[i].data;
    g->pointers[count] = call->results[i].data;
  }
  return isSame;
}

/// Stands for the entry where nothing but the results' place can be new.
static void findResults(struct ampCudaCall *call) {
  const int64_t *shape = call->graph->resultShapes;
  for (int32_t i = 0; i < call->numResults; ++i) {
    ampCudaResultData(call, i, shape);
    shape += call->resultInfos[i].rank;
  }
}

static bool hasScalarResults(const struct ampCudaCall *call) {
  for (int32_t i = 0; i < call->numResults; ++i)
    if (call->resultInfos[i].flags & AMP_VALUE_SCALAR)
      return true;
  return false;
}

/// What the entry does once the capture has begun; separate, because a longjmp
/// must not cross it.
static ampStatus capture(struct ampCudaCall *call) {
  struct graph *g = call->graph;
  CUstream stream = call->model->captureStream;
  CUresult error =
      ampDriver.cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  if (error != CUDA_SUCCESS)
    return ampDeviceError(call->model->device, error, "cannot record a graph");
  call->mode = CALL_RECORD;
  ampStatus status = ampCallRun(call, call->entry->function);
  error = ampDriver.cuStreamEndCapture(stream, &g->graph);
  if (status != AMP_OK)
    return status;
  if (error == CUDA_SUCCESS && g->numNodes > 0)
    error = ampDriver.cuGraphInstantiateWithFlags(&g->exec, g->graph, 0);
  if (error != CUDA_SUCCESS)
    return ampDeviceError(call->model->device, error,
                          "cannot instantiate a graph");
  return AMP_OK;
}

static ampStatus recordOnce(struct ampCudaCall *call) {
  struct graph *g = call->graph;
  reset(call->model, g);
  size_t sizes = 1;
  for (int32_t i = 0; i < call->numResults; ++i)
    sizes += (size_t)call->resultInfos[i].rank;
  g->resultShapes = calloc(sizes, sizeof *g->resultShapes);
  g->pointers = calloc((size_t)(call->numArguments + call->numResults) + 1,
                       sizeof *g->pointers);
  if (!g->resultShapes || !g->pointers) {
    reset(call->model, g);
    return ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
  }
  call->graphNode = call->graphAllocation = 0;
  ampStatus status = capture(call);
  if (status != AMP_OK) {
    reset(call->model, g);
    return status;
  }
  int64_t *shape = g->resultShapes;
  for (int32_t i = 0; i < call->numResults; ++i) {
    size_t rank = (size_t)call->resultInfos[i].rank;
    if (rank)
      memcpy(shape, call->resultShapes[i], rank * sizeof *shape);
    shape += rank;
  }
  notePointers(call);
  g->arePointersValid = true;
  ++call->model->graphsBuilt;
  return AMP_OK;
}

/// Records the graph. Launches that overlap are newer than graphs: a driver
/// that cannot record them gets plain ones.
static ampStatus record(struct ampCudaCall *call) {
  ampStatus status = recordOnce(call);
  if (status == AMP_DRIVER_ERROR &&
      atomic_exchange(&call->model->overlaps, false))
    status = recordOnce(call);
  return status;
}

/// Makes the recorded graph fit this call; sets needsRebuild where that cannot
/// be.
static ampStatus update(struct ampCudaCall *call) {
  struct graph *g = call->graph;
  call->mode = CALL_UPDATE;
  if (!hasScalarResults(call)) {
    ampStatus status = ampCallRun(call, findResults);
    if (status != AMP_OK)
      return status;
    if (notePointers(call))
      return AMP_OK;
  }
  g->arePointersValid = false;
  call->graphNode = call->graphAllocation = 0;
  ampStatus status = ampCallRun(call, call->entry->function);
  if (status == AMP_OK && call->graphNode != g->numNodes)
    call->needsRebuild = true;
  if (status != AMP_OK || call->needsRebuild)
    return status;
  notePointers(call);
  g->arePointersValid = true;
  return AMP_OK;
}

ampStatus ampGraphRun(struct ampCudaCall *call, struct graph *graph) {
  call->graph = graph;
  ampStatus status = AMP_OK;
  if (graph->arePointersValid || graph->numNodes > 0)
    status = update(call);
  else
    call->needsRebuild = true;
  if (call->needsRebuild)
    status = record(call);
  if (status != AMP_OK)
    return status;
  ++call->model->graphRuns;
  if (graph->numNodes == 0)
    return AMP_OK;
  CUresult error = ampDriver.cuGraphLaunch(graph->exec, call->stream);
  if (error != CUDA_SUCCESS)
    return ampDeviceError(call->model->device, error, "cannot launch a graph");
  return AMP_OK;
}
