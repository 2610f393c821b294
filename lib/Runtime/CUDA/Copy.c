//===- Copy.c - copies of strided tensors ---------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <string.h>

/// What stays the same over one copy.
struct copier {
  struct ampCudaCall *call; // or null
  CUstream stream;
  uint32_t flags;
};

/// One driver copy of `width` bytes, `height` rows and `depth` planes.
static CUresult copyBox(const struct copier *c, char *destination,
                        size_t destinationPitch, size_t destinationRows,
                        const char *source, size_t sourcePitch,
                        size_t sourceRows, size_t width, size_t height,
                        size_t depth) {
  CUDA_MEMCPY3D copy;
  memset(&copy, 0, sizeof copy);
  if (c->flags & AMP_CUDA_COPY_FROM_HOST) {
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = source;
  } else {
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = (CUdeviceptr)(uintptr_t)source;
  }
  if (c->flags & AMP_CUDA_COPY_TO_HOST) {
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = destination;
  } else {
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = (CUdeviceptr)(uintptr_t)destination;
  }
  copy.srcPitch = sourcePitch;
  copy.srcHeight = sourceRows;
  copy.dstPitch = destinationPitch;
  copy.dstHeight = destinationRows;
  copy.WidthInBytes = width;
  copy.Height = height;
  copy.Depth = depth;
  if (c->call &&
      (c->call->mode == CALL_RECORD || c->call->mode == CALL_UPDATE)) {
    ampGraphCopy(c->call, &copy);
    return CUDA_SUCCESS;
  }
  if (height > 1 || depth > 1)
    return ampDriver.cuMemcpy3DAsync_v2(&copy, c->stream);
  if (c->flags & AMP_CUDA_COPY_FROM_HOST)
    return ampDriver.cuMemcpyHtoDAsync_v2(copy.dstDevice, source, width,
                                          c->stream);
  if (c->flags & AMP_CUDA_COPY_TO_HOST)
    return ampDriver.cuMemcpyDtoHAsync_v2(destination, copy.srcDevice, width,
                                          c->stream);
  return ampDriver.cuMemcpyDtoDAsync_v2(copy.dstDevice, copy.srcDevice, width,
                                        c->stream);
}

/// A dimension of both sides, strides in bytes.
struct dim {
  int64_t size, destination, source;
};

/// Whether `outer` can be the rows of pieces that span `extent` bytes and whose
/// inner pitch divides it.
static bool isPitch(int64_t stride, int64_t extent, int64_t unit) {
  return stride >= extent && stride % unit == 0;
}

static CUresult copyDims(const struct copier *c, const struct dim *dims,
                         int32_t rank, int64_t width, char *destination,
                         const char *source) {
  if (rank == 0)
    return copyBox(c, destination, (size_t)width, 1, source, (size_t)width, 1,
                   (size_t)width, 1, 1);
  const struct dim *rows = &dims[rank - 1];
  // Two dimensions in one driver copy, where the outer one's stride is a
  // multiple of the inner one's.
  if (rank == 2 && isPitch(rows->destination, width, 1) &&
      isPitch(rows->source, width, 1) &&
      isPitch(dims[0].destination, rows->size * rows->destination,
              rows->destination) &&
      isPitch(dims[0].source, rows->size * rows->source, rows->source))
    return copyBox(c, destination, (size_t)rows->destination,
                   (size_t)(dims[0].destination / rows->destination), source,
                   (size_t)rows->source,
                   (size_t)(dims[0].source / rows->source), (size_t)width,
                   (size_t)rows->size, (size_t)dims[0].size);
  if (rank == 1 && isPitch(rows->destination, width, 1) &&
      isPitch(rows->source, width, 1))
    return copyBox(c, destination, (size_t)rows->destination, 1, source,
                   (size_t)rows->source, 1, (size_t)width, (size_t)rows->size,
                   1);
  for (int64_t i = 0; i < dims[0].size; ++i) {
    CUresult error = copyDims(c, dims + 1, rank - 1, width,
                              destination + i * dims[0].destination,
                              source + i * dims[0].source);
    if (error != CUDA_SUCCESS)
      return error;
  }
  return CUDA_SUCCESS;
}

enum { kMaxRank = 64 };

CUresult ampCopy(struct ampCudaCall *call, CUstream stream,
                 int64_t elementBytes, int32_t rank, const int64_t *sizes,
                 void *destination, const int64_t *destinationStrides,
                 const void *source, const int64_t *sourceStrides,
                 uint32_t flags) {
  struct dim dims[kMaxRank];
  int32_t count = 0;
  int64_t width = elementBytes;
  if (rank > kMaxRank)
    return CUDA_ERROR_INVALID_VALUE;
  for (int32_t d = 0; d < rank; ++d) {
    if (sizes[d] == 0)
      return CUDA_SUCCESS;
    struct dim next = {sizes[d], destinationStrides[d] * elementBytes,
                       sourceStrides[d] * elementBytes};
    if (next.size == 1)
      continue;
    // Merge with the dimension outside, where both sides have no gap.
    if (count > 0 &&
        dims[count - 1].destination == next.size * next.destination &&
        dims[count - 1].source == next.size * next.source) {
      next.size *= dims[count - 1].size;
      dims[count - 1] = next;
    } else {
      dims[count++] = next;
    }
  }
  if (count > 0 && dims[count - 1].destination == elementBytes &&
      dims[count - 1].source == elementBytes)
    width *= dims[--count].size;
  struct copier c = {call, stream, flags};
  return copyDims(&c, dims, count, width, destination, source);
}
