//===- Internal.h - the parts of the CUDA runtime ---------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_CUDA_INTERNAL_H
#define AMP_RUNTIME_CUDA_INTERNAL_H

#include "DriverTypes.h"

#include "amp/Runtime/CUDA.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>

//===----------------------------------------------------------------------===//
// Errors (Error.c)
//===----------------------------------------------------------------------===//

/// Leaves a text for the thread and returns `status`.
ampStatus ampSetError(ampStatus status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ampSetErrorV(const char *format, va_list arguments);

/// As ampSetError, with the driver's name and text of `error` at the end; the
/// status is that of the error.
ampStatus ampSetDriverError(CUresult error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// What a driver's error comes to.
ampStatus ampStatusOf(CUresult error);

//===----------------------------------------------------------------------===//
// The driver (Driver.c)
//===----------------------------------------------------------------------===//

struct driver {
#define AMP_CUDA_DRIVER(symbol, parameters) CUresult(*symbol) parameters;
#include "Driver.def"
};

/// The functions of the driver; valid after ampOpenDriver succeeded.
extern struct driver ampDriver;

/// Opens and initialises the driver. A failure is not remembered: the next call
/// tries again.
ampStatus ampOpenDriver(void);

//===----------------------------------------------------------------------===//
// Devices (Device.c)
//===----------------------------------------------------------------------===//

struct block;

/// A device that is in use, with its primary context and its memory pool.
struct device {
  int ordinal;
  CUdevice handle;
  CUcontext context;
  int users;
  int major, minor;
  int maxSharedBytes; // of a block, when asked for
  int multiprocessors;
  pthread_mutex_t poolLock;
  struct block *blocks;
  uint64_t poolBytes, poolUsedBytes;
  /// What was launched last: the most likely culprit of a fault.
  const ampCudaKernelDesc *_Atomic lastKernel;
};

ampStatus ampAcquireDevice(int ordinal, struct device **device);
void ampReleaseDevice(struct device *device);

/// Makes the device's context current, and the former one again.
ampStatus ampEnter(struct device *device);
void ampLeave(void);

/// Switches the thread to the relaxed capture mode, in which captures of others
/// do not forbid allocations; returns the former mode for ampRestoreCapture.
int ampRelaxCapture(void);
void ampRestoreCapture(int mode);

/// Reports `error` of `what`, as a fault of a kernel where it is one.
ampStatus ampDeviceError(struct device *device, CUresult error,
                         const char *what);

//===----------------------------------------------------------------------===//
// Memory (Pool.c)
//===----------------------------------------------------------------------===//

/// A piece of device memory. Free ones wait for reuse; `event` is recorded when
/// a block is freed, so that another stream can take it over.
struct block {
  struct block *next;
  CUdeviceptr pointer;
  uint64_t bytes;
  CUevent event;
  CUstream stream; // where it was freed
  bool used, recorded;
};

/// A block of at least `bytes` bytes for use on `stream`. With `capturing`,
/// the stream is being captured: only memory that nothing else waits for.
ampStatus ampPoolTake(struct device *device, uint64_t bytes, CUstream stream,
                      bool capturing, struct block **block);
/// Gives a block back, to be reused after what is on `stream` now. Leaves the
/// text of an earlier error alone.
void ampPoolGive(struct device *device, struct block *block, CUstream stream);
/// The block in use that starts at `pointer`, or null.
struct block *ampPoolFind(struct device *device, CUdeviceptr pointer);
/// Frees all memory of the pool.
void ampPoolDestroy(struct device *device);

//===----------------------------------------------------------------------===//
// Models (Model.c)
//===----------------------------------------------------------------------===//

/// A list of blocks.
struct blocks {
  struct block **items;
  int32_t count, capacity;
};
/// Adds a block; false when host memory is exhausted.
bool ampBlocksAdd(struct blocks *list, struct block *block);

/// A value that generated code sees as an argument.
struct value {
  void *data; // on the device; of a scalar, on the host
  const int64_t *shape;
};

struct graph;

/// A weight as it was prepared.
struct weight {
  const void *data;
  int64_t *shape, *strides;
  struct block *copy; // of a host or strided one
};

/// What a model keeps for one of its entries.
struct entryState {
  bool isPrepared;
  struct weight *weights; // one per argument; only weights are used
  struct value *prepared;
  struct block **preparedBlocks;
  struct graph *graphs; // the last used first
};

struct ampModel {
  const ampCudaModelDesc *desc;
  struct device *device;
  CUmodule *modules;
  CUfunction *functions;
  _Atomic int *sharedLimits; // dynamic shared memory asked for, by kernel
  struct block **constants;
  struct entryState *entries;
  /// Held shared while a run queues its work, exclusively while weights are
  /// prepared.
  pthread_rwlock_t prepareLock;
  /// Guards the graphs of all entries.
  pthread_mutex_t graphLock;
  CUstream captureStream;
  /// Guards `kept`.
  pthread_mutex_t keptLock;
  /// Memory of runs that callers captured: their graphs may run at any time.
  struct blocks kept;
  atomic_bool useGraphs, reload;
  /// Whether launches that may overlap do: not with AMP_CUDA_OVERLAP=0, nor
  /// after a driver could not record such.
  atomic_bool overlaps;
  bool synchronous; // AMP_CUDA_SYNC=1
  _Atomic uint64_t plainRuns, graphRuns, graphsBuilt, graphUpdates,
      preparations, kernelsLaunched, constantBytes, preparedBytes;
};

//===----------------------------------------------------------------------===//
// Calls (Call.c, Launch.c)
//===----------------------------------------------------------------------===//

enum callMode {
  CALL_PLAIN,
  CALL_CAPTURED, // into the caller's graph
  CALL_RECORD,   // into a graph of the model
  CALL_UPDATE,   // compare with that graph, and update it
  CALL_PREPARE,  // an init: results persist
  CALL_MEASURE   // without a model or a device: only allocations are counted
};

struct profile {
  ampKernelTime *times;
  size_t capacity, count;
  CUevent *events; // two per launch
  size_t numEvents;
};

struct ampCudaCall {
  jmp_buf failure;
  ampStatus status;
  enum callMode mode;
  struct ampModel *model;
  const ampCudaEntryDesc *entry;
  struct entryState *state;
  CUstream stream;
  /// Arguments, then prepared values.
  struct value *arguments;
  int32_t numArguments;
  /// Results: where they go, and what the caller gave.
  const ampValueInfo *resultInfos;
  struct value *results;
  int64_t **resultShapes;      // rank sizes each, written by ampCudaResultData
  struct block **resultBlocks; // owned by the call until it succeeds
  ampTensor *resultTensors;    // null for an init
  int32_t numResults;
  struct blocks blocks;
  struct hostBlock *hostBlocks;
  struct graph *graph;
  int32_t graphNode, graphAllocation;
  struct profile *profile;
  /// Of CALL_MEASURE: bytes in use now, and at most; whether the rest of the
  /// call depends on what the arguments hold.
  uint64_t measuredBytes, measuredPeak;
  bool dependsOnData;
  /// The update found another sequence than was recorded.
  bool needsRebuild;
};

/// Ends the call with an error: does not return.
_Noreturn void ampCallFail(struct ampCudaCall *call, ampStatus status,
                           const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Ends the call with the status and text that are set: does not return.
_Noreturn void ampCallAbort(struct ampCudaCall *call, ampStatus status);

/// Runs `function` with `call` and returns the call's status. Frees what it
/// left, or hands it to the graph or the model.
ampStatus ampCallRun(struct ampCudaCall *call, ampCudaEntryFn function);

/// Whether generated code can use the memory of `tensor` itself: memory of the
/// device, row-major without gaps, from a multiple of 16 bytes on. Generated
/// code takes the latter for granted of all buffers.
bool ampIsUsable(const ampTensor *tensor);
/// Bytes of a tensor of this shape; false when they do not fit 63 bits, or a
/// size is negative.
bool ampTensorBytes(int32_t dtype, int32_t rank, const int64_t *shape,
                    uint64_t *bytes);

/// Copies `rank` dimensions; a call may be null when no graph is recorded.
CUresult ampCopy(struct ampCudaCall *call, CUstream stream,
                 int64_t elementBytes, int32_t rank, const int64_t *sizes,
                 void *destination, const int64_t *destinationStrides,
                 const void *source, const int64_t *sourceStrides,
                 uint32_t flags);

//===----------------------------------------------------------------------===//
// Graphs (Graph.c)
//===----------------------------------------------------------------------===//

/// The graph for the shapes and scalars of this call, when the entry has been
/// run with them before; else null, and takes note of them. The lock is held.
struct graph *ampGraphFor(struct ampCudaCall *call);

/// Runs the call as a graph: replays, updates or records it. The lock is held.
ampStatus ampGraphRun(struct ampCudaCall *call, struct graph *graph);

/// What happens to a launch, an allocation or a copy in the modes RECORD and
/// UPDATE.
void ampGraphKernel(struct ampCudaCall *call, int32_t kernel,
                    const CUlaunchConfig *config, void **params);
void ampGraphCopy(struct ampCudaCall *call, const CUDA_MEMCPY3D *copy);
void *ampGraphAllocate(struct ampCudaCall *call, uint64_t bytes);

/// Frees the graphs of an entry.
void ampGraphsDestroy(struct ampModel *model, struct entryState *state);

//===----------------------------------------------------------------------===//
// Runs (Run.c, Prepare.c)
//===----------------------------------------------------------------------===//

/// The description's entries, with an error where it is not a model of this
/// runtime.
const ampCudaModelDesc *ampCheckDescription(const void *description);

/// Checks one tensor against its description, number `index` of `kind`, which
/// is "argument" or "result". Without `needsData` its shape is enough.
ampStatus ampCheckTensor(const ampCudaEntryDesc *entry, const char *kind,
                         int32_t index, const ampTensor *tensor,
                         bool needsData);

/// What device memory comes to in a call that is measured (Workspace.c).
void *ampMeasureAllocate(struct ampCudaCall *call, uint64_t bytes);
void ampMeasureFree(struct ampCudaCall *call, void *pointer);
/// Ends such a call: what follows depends on what the arguments hold.
_Noreturn void ampMeasureEnd(struct ampCudaCall *call);

/// Prepares entry `index` where it must be; `arguments` may be null when it
/// needs none. The caller holds no lock; afterwards the prepare lock is held
/// shared.
ampStatus ampPrepare(struct ampModel *model, int32_t index,
                     const ampTensor *arguments, CUstream stream,
                     bool capturing);
void ampPreparedDestroy(struct ampModel *model, int32_t index);

#endif // AMP_RUNTIME_CUDA_INTERNAL_H
