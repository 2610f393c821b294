//===- Stream.cpp - streams and events of the simulated driver ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "../Steps.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace amp::sim;

CUstream Driver::getStream(CUstream handle) {
  CUcontext context = getCurrent();
  // 1 and 2 are CU_STREAM_LEGACY and CU_STREAM_PER_THREAD.
  if (!handle || handle == reinterpret_cast<CUstream>(1) ||
      handle == reinterpret_cast<CUstream>(2))
    return context ? context->defaultStream.get() : nullptr;
  return streams.count(handle) ? handle : nullptr;
}

void Driver::drain(CUstream stream) {
  while (!stream->queue.empty()) {
    Work work = std::move(stream->queue.front());
    stream->queue.pop_front();
    work();
  }
}

void Driver::drainAll(CUcontext context) {
  for (CUstream stream : streams)
    if (stream->context == context)
      drain(stream);
}

void Driver::drainTo(CUevent event) {
  while (event->pending && !event->pending->queue.empty()) {
    CUstream stream = event->pending;
    Work work = std::move(stream->queue.front());
    stream->queue.pop_front();
    work();
  }
}

void Driver::enqueue(CUstream stream, Work work) {
  // The default stream waits for the others, and so is never behind.
  if (stream == stream->context->defaultStream.get()) {
    for (CUstream other : streams)
      if (other->context == stream->context &&
          !(other->flags & CU_STREAM_NON_BLOCKING))
        drain(other);
    return work();
  }
  if (!isDeferred)
    return work();
  stream->queue.push_back(std::move(work));
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

AMP_SIM_API cuStreamCreate(CUstream *stream, unsigned flags) {
  Call call;
  if (call.error)
    return call.error;
  *stream = new CUstream_st();
  (*stream)->context = call.context;
  (*stream)->flags = flags;
  call.driver.streams.insert(*stream);
  return CUDA_SUCCESS;
}

AMP_SIM_API cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int) {
  return cuStreamCreate(stream, flags);
}

AMP_SIM_API cuStreamDestroy_v2(CUstream stream) {
  Call call;
  if (!call.driver.streams.count(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  call.driver.drain(stream);
  for (CUevent event : call.driver.events)
    if (event->pending == stream)
      event->pending = nullptr;
  call.driver.streams.erase(stream);
  delete stream;
  return CUDA_SUCCESS;
}

AMP_SIM_API cuStreamSynchronize(CUstream handle) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(handle);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (stream == call.context->defaultStream.get())
    call.driver.enqueue(stream, [] {});
  call.driver.drain(stream);
  return call.context->sticky;
}

AMP_SIM_API cuStreamQuery(CUstream handle) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(handle);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  if (stream->queue.empty())
    return CUDA_SUCCESS;
  // Who asks again gets another answer.
  call.driver.drain(stream);
  return CUDA_ERROR_NOT_READY;
}

AMP_SIM_API cuStreamWaitEvent(CUstream handle, CUevent event, unsigned) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(handle);
  if (!stream || !call.driver.events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture) {
    // The stream joins the capture. Nodes run in the order of their capture,
    // which puts this one's behind the event.
    if (stream->capture && stream->capture != event->capture)
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    stream->capture = event->capture;
    stream->lastNode = event->captureNode;
    return CUDA_SUCCESS;
  }
  if (!event->pending)
    return CUDA_SUCCESS;
  call.driver.enqueue(stream, [event] {
    Driver &driver = Driver::get();
    if (driver.events.count(event))
      driver.drainTo(event);
  });
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

AMP_SIM_API cuEventCreate(CUevent *event, unsigned flags) {
  Call call;
  if (call.error)
    return call.error;
  *event = new CUevent_st();
  (*event)->context = call.context;
  (*event)->flags = flags;
  call.driver.events.insert(*event);
  return CUDA_SUCCESS;
}

/// The time, or a microsecond for each step where these are asked for.
static std::chrono::steady_clock::time_point now() {
  const char *clock = std::getenv("AMP_SIM_CLOCK");
  if (!clock || std::strcmp(clock, "steps") != 0)
    return std::chrono::steady_clock::now();
  return std::chrono::steady_clock::time_point(
      std::chrono::microseconds(amp::sim::getNumSteps()));
}

AMP_SIM_API cuEventDestroy_v2(CUevent event) {
  Call call;
  if (!call.driver.events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  call.driver.drainTo(event);
  call.driver.events.erase(event);
  delete event;
  return CUDA_SUCCESS;
}

AMP_SIM_API cuEventRecord(CUevent event, CUstream handle) {
  Call call;
  if (call.error)
    return call.error;
  CUstream stream = call.driver.getStream(handle);
  if (!stream || !call.driver.events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  // An event that is recorded again forgets its first record.
  call.driver.drainTo(event);
  if (stream->capture) {
    event->capture = stream->capture;
    event->captureNode = stream->lastNode;
    return CUDA_SUCCESS;
  }
  event->capture = nullptr;
  event->recorded = true;
  event->pending = stream;
  call.driver.enqueue(stream, [event] {
    if (!Driver::get().events.count(event))
      return;
    event->time = now();
    event->pending = nullptr;
  });
  return CUDA_SUCCESS;
}

AMP_SIM_API cuEventQuery(CUevent event) {
  Call call;
  if (call.error)
    return call.error;
  if (!call.driver.events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!event->pending)
    return CUDA_SUCCESS;
  call.driver.drainTo(event);
  return CUDA_ERROR_NOT_READY;
}

AMP_SIM_API cuEventSynchronize(CUevent event) {
  Call call;
  if (call.error)
    return call.error;
  if (!call.driver.events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  call.driver.drainTo(event);
  return call.context->sticky;
}

AMP_SIM_API cuEventElapsedTime(float *milliseconds, CUevent first,
                               CUevent second) {
  Call call;
  if (call.error)
    return call.error;
  for (CUevent event : {first, second}) {
    if (!call.driver.events.count(event) || !event->recorded ||
        (event->flags & CU_EVENT_DISABLE_TIMING))
      return CUDA_ERROR_INVALID_HANDLE;
    if (event->pending)
      return CUDA_ERROR_NOT_READY;
  }
  *milliseconds =
      std::chrono::duration<float, std::milli>(second->time - first->time)
          .count();
  return CUDA_SUCCESS;
}
