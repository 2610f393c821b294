//===- CUDA.h - what host code compiled for CUDA calls ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_CUDA_H
#define AMP_RUNTIME_CUDA_H

#include "amp/Runtime/Model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The ABI between generated host code and the runtime. A change of anything
 * here changes AMP_CUDA_ABI_VERSION. */

#define AMP_CUDA_MAGIC "AMPCUDA"
#define AMP_CUDA_ABI_VERSION 1

/// A call of an entry in progress; opaque, valid during the call only.
typedef struct ampCudaCall ampCudaCall;

/// An entry of generated code. It returns nothing: a runtime function that
/// fails does not return to it.
typedef void (*ampCudaEntryFn)(ampCudaCall *call);

/// A piece of device code: a cubin, a fatbin, PTX with its final zero, or a
/// table of the simulator (its bytes begin with "AMPSIM01").
typedef struct ampCudaImageDesc {
  const void *data;
  uint64_t bytes;
} ampCudaImageDesc;

typedef struct ampCudaKernelDesc {
  /// The symbol in the image, also shown to users.
  const char *name;
  /// The source location of the op that it was made for: "file:line:column",
  /// or another text for people.
  const char *location;
  int32_t image;
  int32_t numParams;
  /// Bytes of each parameter.
  const uint32_t *paramBytes;
} ampCudaKernelDesc;

/// Data of the program that is copied to the device when the model is loaded.
typedef struct ampCudaConstantDesc {
  const void *data;
  uint64_t bytes;
} ampCudaConstantDesc;

enum {
  /// The entry launches the same kernels whenever its shapes and scalars are
  /// the same: it reads nothing from the device and copies nothing to the host.
  /// It can run as a graph.
  AMP_CUDA_ENTRY_CAPTURABLE = 1
};

typedef struct ampCudaEntryDesc {
  const char *name;
  ampCudaEntryFn function;
  /// AMP_CUDA_ENTRY_*.
  uint32_t flags;
  /// The arguments that callers give; the results of `init` follow them when
  /// generated code counts arguments.
  int32_t numArguments, numResults;
  const ampValueInfo *arguments, *results;
  /// What prepares constants and weights, or null. Its argument number i is
  /// argument number initArguments[i] of this entry (a weight); its results
  /// are kept on the device and given to `function` as arguments number
  /// numArguments, numArguments + 1, ...
  ampCudaEntryFn init;
  int32_t numInitArguments, numPrepared;
  const int32_t *initArguments;
  const ampValueInfo *prepared;
  /// As in ampFunctionInfo.
  int64_t workspaceBytes;
} ampCudaEntryDesc;

/// A compiled model: the symbol `<module>_model`.
typedef struct ampCudaModelDesc {
  char magic[8];    // AMP_CUDA_MAGIC
  uint32_t version; // AMP_CUDA_ABI_VERSION
  uint32_t bytes;   // of this structure
  const char *name;
  /// The target that the images were compiled for, such as "sm_90a".
  const char *target;
  const char *manifest;
  int32_t numImages, numKernels, numConstants, numEntries;
  const ampCudaImageDesc *images;
  const ampCudaKernelDesc *kernels;
  const ampCudaConstantDesc *constants;
  const ampCudaEntryDesc *entries;
} ampCudaModelDesc;

/* The functions of a call. Device memory is a pointer that the host must not
 * follow. Sizes and strides count elements. */

/// Tensor argument `index`: its first element, in row-major order without
/// gaps, on the device, at a multiple of 16 bytes.
AMP_RUNTIME_API void *ampCudaArgData(ampCudaCall *call, int32_t index);
AMP_RUNTIME_API int64_t ampCudaArgDim(ampCudaCall *call, int32_t index,
                                      int32_t dim);
/// Scalar argument `index`: a pointer to its value on the host.
AMP_RUNTIME_API const void *ampCudaArgScalar(ampCudaCall *call, int32_t index);

/// The device buffer for tensor result `index`, row-major without gaps, at a
/// multiple of 16 bytes; the shape (its rank is that of the description) must
/// be the one that the caller expects. Called once per result.
AMP_RUNTIME_API void *ampCudaResultData(ampCudaCall *call, int32_t index,
                                        const int64_t *shape);
AMP_RUNTIME_API void ampCudaResultScalar(ampCudaCall *call, int32_t index,
                                         const void *value);

/// Device memory, aligned to 256 bytes. What the entry does not free, the end
/// of the call does.
AMP_RUNTIME_API void *ampCudaAlloc(ampCudaCall *call, uint64_t bytes);
AMP_RUNTIME_API void ampCudaFree(ampCudaCall *call, void *pointer);
/// Host memory, aligned to 64 bytes, in the same way.
AMP_RUNTIME_API void *ampCudaHostAlloc(ampCudaCall *call, uint64_t bytes);
AMP_RUNTIME_API void ampCudaHostFree(ampCudaCall *call, void *pointer);

/// The device copy of constant `index`.
AMP_RUNTIME_API void *ampCudaConstant(ampCudaCall *call, int32_t index);

enum { AMP_CUDA_COPY_FROM_HOST = 1, AMP_CUDA_COPY_TO_HOST = 2 };

/// Copies `rank` dimensions of elements. Copies from and to the host have
/// happened when it returns; others are in the order of the stream.
AMP_RUNTIME_API void ampCudaCopy(ampCudaCall *call, int64_t elementBytes,
                                 int32_t rank, const int64_t *sizes,
                                 void *destination,
                                 const int64_t *destinationStrides,
                                 const void *source,
                                 const int64_t *sourceStrides, uint32_t flags);

/// Single elements, in the order of the stream; each waits for it.
AMP_RUNTIME_API void ampCudaRead(ampCudaCall *call, void *host,
                                 const void *device, uint64_t bytes);
AMP_RUNTIME_API void ampCudaWrite(ampCudaCall *call, void *device,
                                  const void *host, uint64_t bytes);

enum {
  /// The kernel may start before the one in front of it has ended (programmatic
  /// dependent launch): it waits by itself where it must.
  AMP_CUDA_LAUNCH_DEPENDENT = 1,
  /// The eight bits from this one on: if not zero, the kernel does the same
  /// with
  /// any grid along x, and so many blocks of it run on a multiprocessor at
  /// once.
  /// A grid of more than the device can hold at once is made so large.
  AMP_CUDA_LAUNCH_PERSISTENT_SHIFT = 8
};

/// Launches kernel `kernel` of the model. A grid with a zero does nothing.
/// A cluster of zeros is none. `params` has the kernel's numParams pointers, to
/// values of paramBytes bytes each, which are read before it returns.
AMP_RUNTIME_API void
ampCudaLaunch(ampCudaCall *call, int32_t kernel, int64_t gridX, int64_t gridY,
              int64_t gridZ, int64_t blockX, int64_t blockY, int64_t blockZ,
              int64_t clusterX, int64_t clusterY, int64_t clusterZ,
              int64_t sharedBytes, void **params, uint32_t flags);

/// Fills a tensor map of 128 bytes (aligned to 64) for tiled access, to be
/// given to a kernel by value. Arguments are those of cuTensorMapEncodeTiled:
/// dimensions from the innermost on, `rank - 1` strides in bytes.
AMP_RUNTIME_API void
ampCudaTensorMapTiled(ampCudaCall *call, void *map, int32_t dataType,
                      int32_t rank, void *base, const uint64_t *sizes,
                      const uint64_t *byteStrides, const uint32_t *box,
                      const uint32_t *elementStrides, int32_t interleave,
                      int32_t swizzle, int32_t l2Promotion, int32_t fill);

/// The same for im2col access; arguments are those of cuTensorMapEncodeIm2col:
/// corners for the `rank - 2` spatial dimensions, from the innermost on.
AMP_RUNTIME_API void ampCudaTensorMapIm2col(
    ampCudaCall *call, void *map, int32_t dataType, int32_t rank, void *base,
    const uint64_t *sizes, const uint64_t *byteStrides,
    const int32_t *lowerCorner, const int32_t *upperCorner, int32_t channels,
    int32_t pixels, const uint32_t *elementStrides, int32_t interleave,
    int32_t swizzle, int32_t l2Promotion, int32_t fill);

/// Ends the call with AMP_CHECK_FAILED and this text.
AMP_RUNTIME_API void ampCudaCheckFailed(ampCudaCall *call, const char *message);

#ifdef __cplusplus
}
#endif

#endif // AMP_RUNTIME_CUDA_H
