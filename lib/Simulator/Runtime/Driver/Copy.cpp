//===- Copy.cpp - memory of the simulated driver --------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cinttypes>
#include <cstring>

using namespace amp::sim;

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

static CUresult allocate(Call &call, void **pointer, size_t bytes,
                         Allocation::Kind kind) {
  if (call.error)
    return call.error;
  if (!pointer || !bytes)
    return CUDA_ERROR_INVALID_VALUE;
  CUcontext context = call.context;
  size_t used = call.driver.memory.getUsedBytes(context->device);
  if (kind == Allocation::Kind::Device &&
      (bytes > context->memoryBytes || used > context->memoryBytes - bytes))
    return CUDA_ERROR_OUT_OF_MEMORY;
  *pointer = call.driver.memory.allocate(bytes, kind, context->device);
  return *pointer ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult release(Call &call, uintptr_t address) {
  if (call.error && call.error != call.context->sticky)
    return call.error;
  if (!address)
    return CUDA_SUCCESS;
  // Freeing waits for the work that may use the memory.
  call.driver.drainAll(call.context);
  switch (call.driver.memory.release(address)) {
  case Memory::FreeResult::Freed:
    return CUDA_SUCCESS;
  case Memory::FreeResult::Twice:
    report("memory at address 0x%" PRIxPTR " is freed again", address);
    return CUDA_ERROR_INVALID_VALUE;
  default:
    report("memory at address 0x%" PRIxPTR
           " is freed, where no allocation begins",
           address);
    return CUDA_ERROR_INVALID_VALUE;
  }
}

AMP_SIM_API cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes) {
  Call call;
  void *memory = nullptr;
  CUresult error = allocate(call, &memory, bytes, Allocation::Kind::Device);
  if (!error)
    *pointer = reinterpret_cast<CUdeviceptr>(memory);
  return error;
}

AMP_SIM_API cuMemFree_v2(CUdeviceptr pointer) {
  Call call;
  return call.context ? release(call, static_cast<uintptr_t>(pointer))
                      : call.error;
}

AMP_SIM_API cuMemAllocHost_v2(void **pointer, size_t bytes) {
  Call call;
  return allocate(call, pointer, bytes, Allocation::Kind::PinnedHost);
}

AMP_SIM_API cuMemFreeHost(void *pointer) {
  Call call;
  return call.context ? release(call, reinterpret_cast<uintptr_t>(pointer))
                      : call.error;
}

AMP_SIM_API cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream) {
  return cuMemAlloc_v2(pointer, bytes);
}

AMP_SIM_API cuMemFreeAsync(CUdeviceptr pointer, CUstream) {
  return cuMemFree_v2(pointer);
}

AMP_SIM_API cuMemGetInfo_v2(size_t *available, size_t *total) {
  Call call;
  if (call.error)
    return call.error;
  *total = call.context->memoryBytes;
  *available = *total - call.driver.memory.getUsedBytes(call.context->device);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

CUDA_MEMCPY3D amp::sim::makeCopy(CUdeviceptr destination, const void *source,
                                 size_t bytes) {
  CUDA_MEMCPY3D copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = source;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = destination;
  copy.WidthInBytes = bytes;
  copy.Height = copy.Depth = 1;
  return copy;
}

namespace {
/// One end of a copy.
struct End {
  const char *name;
  uintptr_t base;
  bool isDevice;
  size_t x, y, z, pitch, height;

  uintptr_t row(size_t j, size_t k) const {
    return base + x + ((k + z) * height + j + y) * pitch;
  }
};
} // namespace

static End getSource(const CUDA_MEMCPY3D &copy) {
  bool isDevice = copy.srcMemoryType == CU_MEMORYTYPE_DEVICE;
  return {"source",
          isDevice ? static_cast<uintptr_t>(copy.srcDevice)
                   : reinterpret_cast<uintptr_t>(copy.srcHost),
          isDevice,
          copy.srcXInBytes,
          copy.srcY,
          copy.srcZ,
          copy.srcPitch,
          copy.srcHeight};
}

static End getDestination(const CUDA_MEMCPY3D &copy) {
  bool isDevice = copy.dstMemoryType == CU_MEMORYTYPE_DEVICE;
  return {"destination",
          isDevice ? static_cast<uintptr_t>(copy.dstDevice)
                   : reinterpret_cast<uintptr_t>(copy.dstHost),
          isDevice,
          copy.dstXInBytes,
          copy.dstY,
          copy.dstZ,
          copy.dstPitch,
          copy.dstHeight};
}

/// Device memory must be an allocation, living, and large enough.
static bool checkDevice(const End &end, uintptr_t begin, size_t bytes) {
  const Allocation *found = Driver::get().memory.find(begin);
  const char *why = nullptr;
  if (!found)
    why = "which is no memory of the device";
  else if (found->freed)
    why = "which has been freed";
  else if (begin + bytes > found->begin + found->bytes)
    why = "which is more than the allocation has";
  if (why)
    report("copy: the %s is %zu bytes at address 0x%" PRIxPTR ", %s", end.name,
           bytes, begin, why);
  return !why;
}

CUresult amp::sim::checkCopy(const CUDA_MEMCPY3D &copy) {
  if (!copy.WidthInBytes || !copy.Height || !copy.Depth)
    return CUDA_SUCCESS;
  for (const End &end : {getSource(copy), getDestination(copy)}) {
    if ((copy.Height > 1 && end.pitch < copy.WidthInBytes + end.x) ||
        (copy.Depth > 1 && end.height < copy.Height + end.y)) {
      report("copy: the %s has rows of %zu bytes and planes of %zu rows, less "
             "than are copied",
             end.name, end.pitch, end.height);
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (!end.base)
      return CUDA_ERROR_INVALID_VALUE;
    uintptr_t begin = end.row(0, 0);
    uintptr_t last =
        end.row(copy.Height - 1, copy.Depth - 1) + copy.WidthInBytes;
    if (end.isDevice && !checkDevice(end, begin, last - begin))
      return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

void amp::sim::runCopy(const CUDA_MEMCPY3D &copy) {
  End source = getSource(copy), destination = getDestination(copy);
  for (size_t k = 0; k < copy.Depth; ++k)
    for (size_t j = 0; j < copy.Height; ++j)
      std::memmove(reinterpret_cast<void *>(destination.row(j, k)),
                   reinterpret_cast<const void *>(source.row(j, k)),
                   copy.WidthInBytes);
}

/// Whether the host's end may be read or written later: only pinned memory is.
static bool isPageable(const End &end) {
  return !end.isDevice && !Driver::get().memory.find(end.base);
}

static CUresult copyAsync(const CUDA_MEMCPY3D &copy, CUstream handle) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(handle);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult error = checkCopy(copy))
    return error;
  if (stream->capture) {
    auto node = std::make_unique<CUgraphNode_st>();
    node->kind = CUgraphNode_st::Kind::Copy;
    node->copy = copy;
    stream->lastNode = node.get();
    stream->capture->nodes.push_back(std::move(node));
    return CUDA_SUCCESS;
  }
  CUcontext context = call.context;
  auto run = [context](const CUDA_MEMCPY3D &ready) {
    // The memory may have been freed since.
    if (!context->sticky && checkCopy(ready) == CUDA_SUCCESS)
      runCopy(ready);
  };
  if (isPageable(getDestination(copy))) {
    // As on a device: the call returns when the data are there.
    call.driver.drain(stream);
    run(copy);
    return context->sticky;
  }
  if (isPageable(getSource(copy)) && copy.Height == 1 && copy.Depth == 1) {
    // The source may change after the call.
    auto *from = reinterpret_cast<const char *>(getSource(copy).row(0, 0));
    std::vector<char> staged(from, from + copy.WidthInBytes);
    call.driver.enqueue(stream, [run, copy, staged] {
      CUDA_MEMCPY3D ready = copy;
      ready.srcHost = staged.data();
      ready.srcXInBytes = ready.srcY = ready.srcZ = 0;
      run(ready);
    });
    return CUDA_SUCCESS;
  }
  call.driver.enqueue(stream, [run, copy] { run(copy); });
  return CUDA_SUCCESS;
}

/// Copies when everything before is done.
static CUresult copySync(const CUDA_MEMCPY3D &copy) {
  Call call;
  if (call.error)
    return call.error;
  call.driver.drainAll(call.context);
  if (call.context->sticky)
    return call.context->sticky;
  if (CUresult error = checkCopy(copy))
    return error;
  runCopy(copy);
  return CUDA_SUCCESS;
}

static CUDA_MEMCPY3D makeToHost(void *destination, CUdeviceptr source,
                                size_t bytes) {
  CUDA_MEMCPY3D copy = makeCopy(0, nullptr, bytes);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = source;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = destination;
  return copy;
}

static CUDA_MEMCPY3D makeOnDevice(CUdeviceptr destination, CUdeviceptr source,
                                  size_t bytes) {
  CUDA_MEMCPY3D copy = makeCopy(destination, nullptr, bytes);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = source;
  return copy;
}

AMP_SIM_API cuMemcpyHtoDAsync_v2(CUdeviceptr destination, const void *source,
                                 size_t bytes, CUstream stream) {
  return copyAsync(makeCopy(destination, source, bytes), stream);
}
AMP_SIM_API cuMemcpyDtoHAsync_v2(void *destination, CUdeviceptr source,
                                 size_t bytes, CUstream stream) {
  return copyAsync(makeToHost(destination, source, bytes), stream);
}
AMP_SIM_API cuMemcpyDtoDAsync_v2(CUdeviceptr destination, CUdeviceptr source,
                                 size_t bytes, CUstream stream) {
  return copyAsync(makeOnDevice(destination, source, bytes), stream);
}
AMP_SIM_API cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream) {
  return copyAsync(*copy, stream);
}
AMP_SIM_API cuMemcpyHtoD_v2(CUdeviceptr destination, const void *source,
                            size_t bytes) {
  return copySync(makeCopy(destination, source, bytes));
}
AMP_SIM_API cuMemcpyDtoH_v2(void *destination, CUdeviceptr source,
                            size_t bytes) {
  return copySync(makeToHost(destination, source, bytes));
}
AMP_SIM_API cuMemcpyDtoD_v2(CUdeviceptr destination, CUdeviceptr source,
                            size_t bytes) {
  return copySync(makeOnDevice(destination, source, bytes));
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

template <typename T>
static CUresult fill(CUdeviceptr destination, T value, size_t count,
                     CUstream handle, bool waits) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(handle);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  if (destination % sizeof(T))
    return CUDA_ERROR_INVALID_VALUE;
  // The checks of a copy from something to the same range are the fill's.
  CUDA_MEMCPY3D range =
      makeOnDevice(destination, destination, count * sizeof(T));
  if (CUresult error = checkCopy(range))
    return error;
  Work work = [=] {
    if (checkCopy(range) == CUDA_SUCCESS)
      for (size_t i = 0; i < count; ++i)
        std::memcpy(reinterpret_cast<char *>(destination) + i * sizeof(T),
                    &value, sizeof(T));
  };
  if (stream->capture) {
    auto node = std::make_unique<CUgraphNode_st>();
    node->work = work;
    stream->lastNode = node.get();
    stream->capture->nodes.push_back(std::move(node));
    return CUDA_SUCCESS;
  }
  call.driver.enqueue(stream, work);
  if (waits)
    call.driver.drain(stream);
  return waits ? call.context->sticky : CUDA_SUCCESS;
}

AMP_SIM_API cuMemsetD8Async(CUdeviceptr destination, unsigned char value,
                            size_t count, CUstream stream) {
  return fill<uint8_t>(destination, value, count, stream, /*waits=*/false);
}
AMP_SIM_API cuMemsetD16Async(CUdeviceptr destination, unsigned short value,
                             size_t count, CUstream stream) {
  return fill<uint16_t>(destination, value, count, stream, /*waits=*/false);
}
AMP_SIM_API cuMemsetD32Async(CUdeviceptr destination, unsigned value,
                             size_t count, CUstream stream) {
  return fill<uint32_t>(destination, value, count, stream, /*waits=*/false);
}
AMP_SIM_API cuMemsetD8_v2(CUdeviceptr destination, unsigned char value,
                          size_t count) {
  return fill<uint8_t>(destination, value, count, nullptr, /*waits=*/true);
}
AMP_SIM_API cuMemsetD32_v2(CUdeviceptr destination, unsigned value,
                           size_t count) {
  return fill<uint32_t>(destination, value, count, nullptr, /*waits=*/true);
}
