//===- Model.h - running compiled models ------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_MODEL_H
#define AMP_RUNTIME_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The C API of a compiled model: C only, no LLVM, no CUDA header. A model is
 * described by a constant structure that the compiler emits (its "description",
 * symbol `<module>_model`); ampModelLoad brings it to a device. Every function
 * that can fail returns a status, and leaves a text for the calling thread in
 * ampLastError(). No function aborts the process. Every function may be called
 * from any thread. docs/cuda-runtime.md shows how it all is used. */

#if defined(__GNUC__)
#define AMP_RUNTIME_API __attribute__((visibility("default")))
#else
#define AMP_RUNTIME_API
#endif

/// What a call came to.
typedef enum ampStatus {
  AMP_OK = 0,
  /// The caller's mistake: a wrong shape, type, device, count, or null pointer.
  AMP_INVALID_ARGUMENT = 1,
  /// The machine has no CUDA driver, or one that is too old.
  AMP_NO_DRIVER = 2,
  /// The driver sees no device, or not the one asked for.
  AMP_NO_DEVICE = 3,
  /// Device or host memory is exhausted. The model may be used further.
  AMP_OUT_OF_MEMORY = 4,
  /// The model does not fit this runtime, or its code does not fit the device.
  AMP_BAD_MODEL = 5,
  /// A check that the program makes as it runs failed (a cast to a static
  /// size, a slice out of bounds, on the CPU an index out of bounds).
  AMP_CHECK_FAILED = 6,
  /// A kernel faulted on the device. The device's context is lost: every later
  /// call of this process on that device gives this status.
  AMP_DEVICE_FAULT = 7,
  /// The driver failed in any other way.
  AMP_DRIVER_ERROR = 8
} ampStatus;

/// The text of the last failure in the calling thread; empty before the first.
/// Valid until the thread's next failing call.
AMP_RUNTIME_API const char *ampLastError(void);

/// The status' name in lower case, such as "no device".
AMP_RUNTIME_API const char *ampStatusName(ampStatus status);

/// Element types. The numbers are part of the ABI.
typedef enum ampDtype {
  AMP_I1 = 0, // a byte, 0 or 1
  AMP_I8 = 1,
  AMP_I16 = 2,
  AMP_I32 = 3,
  AMP_I64 = 4, // also `index`
  AMP_U8 = 5,
  AMP_U16 = 6,
  AMP_U32 = 7,
  AMP_U64 = 8,
  AMP_F16 = 9,
  AMP_BF16 = 10,
  AMP_F32 = 11,
  AMP_F64 = 12,
  AMP_F8E4M3FN = 13,
  AMP_F8E5M2 = 14,
  AMP_F8E4M3FNUZ = 15,
  AMP_F8E5M2FNUZ = 16,
  AMP_F8E4M3B11FNUZ = 17,
  AMP_F8E4M3 = 18,
  AMP_F8E3M4 = 19,
  AMP_F8E8M0FNU = 20,
  AMP_C64 = 21, // complex<f32>
  AMP_C128 = 22 // complex<f64>
} ampDtype;

/// Bytes of one element; 0 for a number that is no type.
AMP_RUNTIME_API size_t ampDtypeSize(int32_t dtype);

/// MLIR's name of the type, such as "bf16"; null for a number that is no type.
AMP_RUNTIME_API const char *ampDtypeName(int32_t dtype);

/// A dimension that is not known at compile time.
#define AMP_DYNAMIC INT64_MIN

/// A tensor, as an argument or a result of a run. Nothing here is owned by the
/// runtime but the data of results that it allocated.
typedef struct ampTensor {
  /// The first element (not the start of the allocation). As an argument:
  /// never written. As a result: null asks the runtime to allocate; it then
  /// sets `data`, and the caller frees it with ampModelFree. A scalar argument
  /// or result is a host pointer to its value, with rank 0. On the CPU, a
  /// result goes to `data` as it is computed where that is at a multiple of 64
  /// bytes (of its elements' size, where the library has no tensor of 8 MiB or
  /// more), without gaps and apart from all arguments and other results; else
  /// it is copied there. A run that fails leaves it as it was, unless memory is
  /// exhausted.
  void *data;
  /// An ampDtype: that of the function's description.
  int32_t dtype;
  int32_t rank;
  /// `rank` sizes. Of a result whose data is null, the runtime writes them.
  int64_t *shape;
  /// `rank` strides in elements, none negative; null for row-major without
  /// gaps. A tensor with gaps is copied to, or from, one without, and so is
  /// memory of a device that does not start at a multiple of 16 bytes.
  const int64_t *strides;
  /// 1: memory of the model's device, used in the order of the stream. 0: host
  /// memory: arguments are copied in, and ampModelRun returns when the
  /// results have been copied out.
  int32_t onDevice;
  int32_t reserved;
} ampTensor;

enum {
  /// A number instead of a tensor.
  AMP_VALUE_SCALAR = 1,
  /// A weight: work that depends only on it is done once, and again after
  /// ampModelReloadWeights.
  AMP_VALUE_WEIGHT = 2
};

/// An argument or result of a function.
typedef struct ampValueInfo {
  const char *name;
  int32_t dtype;
  int32_t rank;
  /// `rank` sizes, AMP_DYNAMIC where they are not fixed.
  const int64_t *shape;
  /// AMP_VALUE_*.
  uint32_t flags;
  uint32_t reserved;
} ampValueInfo;

/// A function of a model.
typedef struct ampFunctionInfo {
  const char *name;
  int32_t numArguments, numResults;
  const ampValueInfo *arguments, *results;
  /// Bytes of device memory for intermediates during a call; -1 when they
  /// depend on the arguments: ampModelWorkspaceBytes tells for given ones.
  int64_t workspaceBytes;
} ampFunctionInfo;

/* Queries of a description: they need neither a driver nor a device. A null
 * or foreign description gives 0, null or AMP_BAD_MODEL. */

AMP_RUNTIME_API int32_t ampModelNumFunctions(const void *description);
AMP_RUNTIME_API ampStatus ampModelFunction(const void *description,
                                           int32_t index,
                                           ampFunctionInfo *info);
/// The index of the function `name`, or -1.
AMP_RUNTIME_API int32_t ampModelFindFunction(const void *description,
                                             const char *name);
/// Bytes of device memory for intermediates of a call of function `index` with
/// arguments of these types and shapes, into `bytes`: `workspaceBytes` where
/// that is known, else what the function's own computation of sizes comes to,
/// made on the host; with it, sizes of the program are checked
/// (AMP_CHECK_FAILED). -1 where it depends on what the tensors hold, and of
/// models for the CPU. Data of tensors may be null; numbers are read.
AMP_RUNTIME_API ampStatus ampModelWorkspaceBytes(const void *description,
                                                 int32_t index,
                                                 const ampTensor *arguments,
                                                 int32_t numArguments,
                                                 int64_t *bytes);
/// A JSON text with functions, shapes, types, kernels and workspace.
AMP_RUNTIME_API const char *ampModelManifest(const void *description);

/// A CUDA device.
typedef struct ampDeviceInfo {
  char name[128];
  int32_t major, minor; // compute capability
  int32_t multiprocessors;
  int32_t clockKHz, memoryClockKHz, memoryBusBits;
  uint64_t memoryBytes;
} ampDeviceInfo;

/// The number of CUDA devices that this process may use. AMP_NO_DRIVER or
/// AMP_NO_DEVICE, with a text of one line, where there are none.
AMP_RUNTIME_API ampStatus ampDeviceCount(int32_t *count);
AMP_RUNTIME_API ampStatus ampDeviceQuery(int32_t device, ampDeviceInfo *info);

/// A model on a device.
typedef struct ampModel ampModel;

/// Loads a model on a device (an ordinal as the CUDA driver counts) and
/// prepares all that depends on its constants alone. The description must
/// outlive the model.
AMP_RUNTIME_API ampStatus ampModelLoad(const void *description, int32_t device,
                                       ampModel **model);

/// Waits for the model's work and frees everything that it holds. Results that
/// it allocated stay valid until they are freed, which must happen before. Null
/// is ignored.
AMP_RUNTIME_API void ampModelUnload(ampModel *model);

/// Of a model for the CPU: the name of the level of instruction sets whose code
/// it runs, such as "x86-64-v3": the last one of its library (amp-compile
/// --mcpu) that this processor has, or the one that the environment variable
/// AMP_CPU_LEVEL named when the model was loaded. It lives as long as the
/// description. Null for a null model, and for one on a device.
AMP_RUNTIME_API const char *ampModelLevel(const ampModel *model);

/// Runs function `function` on `stream` (a CUstream or cudaStream_t of the
/// model's device; null is the default stream) and returns when everything is
/// queued, or, with host tensors, done. While the stream is being captured into
/// a graph, kernels are captured into it; host tensors are then refused.
AMP_RUNTIME_API ampStatus ampModelRun(ampModel *model, int32_t function,
                                      const ampTensor *arguments,
                                      int32_t numArguments, ampTensor *results,
                                      int32_t numResults, void *stream);

/// Frees the data of a result that the runtime allocated, and makes it null.
/// Device memory may be freed while work on `stream` still uses it.
AMP_RUNTIME_API ampStatus ampModelFree(ampModel *model, ampTensor *result,
                                       void *stream);

/// Says that the contents of the arguments which are weights have changed, of
/// function `function` (or of all: -1): its next run prepares them again. A run
/// with other pointers, shapes or strides for them does so by itself; that the
/// memory of a weight was freed and is another one's now has to be told. A run
/// that cannot prepare them fails, and what was prepared before stays.
AMP_RUNTIME_API ampStatus ampModelReloadWeights(ampModel *model,
                                                int32_t function);

/// Waits for the work on a stream and reports faults of kernels.
AMP_RUNTIME_API ampStatus ampModelSynchronize(ampModel *model, void *stream);

/// Whether functions of static shape may run as CUDA graphs; on by default, but
/// for the environment variable AMP_CUDA_GRAPHS=0.
AMP_RUNTIME_API ampStatus ampModelUseGraphs(ampModel *model, int32_t enable);

/// What one launch took.
typedef struct ampKernelTime {
  /// Both live as long as the description.
  const char *kernel, *location;
  double microseconds;
  uint32_t grid[3], block[3], cluster[3];
  uint32_t sharedBytes;
} ampKernelTime;

/// Runs the function once, kernel by kernel, with events around each launch,
/// and waits. Writes up to `capacity` times in the order of the launches, and
/// their full number into `count`.
AMP_RUNTIME_API ampStatus ampModelProfile(
    ampModel *model, int32_t function, const ampTensor *arguments,
    int32_t numArguments, ampTensor *results, int32_t numResults, void *stream,
    ampKernelTime *times, size_t capacity, size_t *count);

/// What a model holds and did; for reports and tests. Bytes are those of the
/// device. A model for the CPU counts prepared bytes, plain runs and
/// preparations alone.
typedef struct ampModelStats {
  uint64_t constantBytes;   // copies of constants
  uint64_t preparedBytes;   // results of preparation
  uint64_t poolBytes;       // taken from the driver for calls, in use or not
  uint64_t poolUsedBytes;   // of these, in use
  uint64_t plainRuns;       // runs launch by launch
  uint64_t graphRuns;       // runs as a graph
  uint64_t graphsBuilt;     // graphs instantiated
  uint64_t graphUpdates;    // parameters of graph nodes replaced
  uint64_t preparations;    // runs of `<entry>_init`
  uint64_t kernelsLaunched; // launches outside graphs
} ampModelStats;

AMP_RUNTIME_API ampStatus ampModelGetStats(ampModel *model,
                                           ampModelStats *stats);

/// How many bytes per second the device reads and writes when it copies a large
/// block of its memory: what kernels that memory bounds are measured against.
/// Takes some milliseconds and 512 MiB of device memory. 0 of a model for the
/// CPU; of the simulator, what the host copies.
AMP_RUNTIME_API ampStatus ampModelCopyRate(ampModel *model,
                                           double *bytesPerSecond);

/* Device memory and times, for programs that have no CUDA runtime of their
 * own. */

AMP_RUNTIME_API ampStatus ampModelAllocate(ampModel *model, uint64_t bytes,
                                           void **pointer, void *stream);
AMP_RUNTIME_API ampStatus ampModelRelease(ampModel *model, void *pointer,
                                          void *stream);
/// Copies; they return when the source may be changed, and the destination may
/// be read, by the host.
AMP_RUNTIME_API ampStatus ampModelUpload(ampModel *model, void *device,
                                         const void *host, uint64_t bytes,
                                         void *stream);
AMP_RUNTIME_API ampStatus ampModelDownload(ampModel *model, void *host,
                                           const void *device, uint64_t bytes,
                                           void *stream);
AMP_RUNTIME_API ampStatus ampStreamCreate(ampModel *model, void **stream);
AMP_RUNTIME_API ampStatus ampStreamDestroy(ampModel *model, void *stream);

/// An event on a device. Between two records of events on a stream:
/// ampEventElapsed, in microseconds; it waits for the second.
typedef struct ampEvent ampEvent;
AMP_RUNTIME_API ampStatus ampEventCreate(ampModel *model, ampEvent **event);
AMP_RUNTIME_API ampStatus ampEventRecord(ampEvent *event, void *stream);
AMP_RUNTIME_API ampStatus ampEventElapsed(ampEvent *first, ampEvent *second,
                                          double *microseconds);
AMP_RUNTIME_API void ampEventDestroy(ampEvent *event);

#ifdef __cplusplus
}
#endif

#endif // AMP_RUNTIME_MODEL_H
