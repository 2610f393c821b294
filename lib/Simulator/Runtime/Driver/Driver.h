//===- Driver.h - the state of the simulated driver -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_RUNTIME_DRIVER_DRIVER_H
#define AMP_LIB_SIMULATOR_RUNTIME_DRIVER_DRIVER_H

#include "../Machine.h"
#include "../Memory.h"
#include "DriverTypes.h"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#define AMP_SIM_API extern "C" __attribute__((visibility("default"))) CUresult

// Every function that the runtime needs, with the prototype that it expects: a
// definition of another type does not build, and without one the unit test does
// not link.
#define AMP_CUDA_DRIVER(symbol, parameters) AMP_SIM_API symbol parameters;
#include "Driver.def"

enum { CUDA_ERROR_NOT_SUPPORTED = 801 };

/// A context is what a device has one of.
struct CUctx_st {
  int device = 0;
  int retained = 0;
  size_t memoryBytes = 0;
  /// The error of a kernel that failed: from then on, that of every call.
  CUresult sticky = CUDA_SUCCESS;
  std::unique_ptr<CUstream_st> defaultStream;
};

struct CUfunc_st {
  const ampSimKernel *kernel = nullptr;
  CUmodule module = nullptr;
  int maxDynamicShared = 48 * 1024;
};

struct CUmod_st {
  CUcontext context = nullptr;
  std::vector<std::unique_ptr<CUfunc_st>> functions;
};

/// What a stream does, one after the other.
using Work = std::function<void()>;

struct CUstream_st {
  CUcontext context = nullptr;
  unsigned flags = 0;
  /// Work that was put off (AMP_SIM_DEFER).
  std::deque<Work> queue;
  /// While it is being captured: the graph, and the node that it added last.
  CUgraph capture = nullptr;
  CUgraphNode lastNode = nullptr;
  bool isOrigin = false;
};

struct CUevent_st {
  CUcontext context = nullptr;
  unsigned flags = 0;
  /// The stream in whose queue its record is; null when it is complete.
  CUstream pending = nullptr;
  bool recorded = false;
  CUgraph capture = nullptr;
  CUgraphNode captureNode = nullptr;
  std::chrono::steady_clock::time_point time;
};

namespace amp::sim {

/// A launch with parameters of its own.
struct KernelLaunch {
  CUfunction function = nullptr;
  LaunchConfig config;
  std::vector<std::vector<char>> values;

  /// Checks the launch and copies the parameters. Returns an error that the
  /// call gives back.
  CUresult set(CUfunction function, const int64_t (&grid)[3],
               const int64_t (&block)[3], const int64_t (&cluster)[3],
               unsigned sharedBytes, void **params, void **extra);
  /// Runs the kernel; a fault stays with the context.
  void run(CUcontext context);
};

/// Runs a copy whose addresses have been checked.
void runCopy(const CUDA_MEMCPY3D &copy);
/// Whether the copy may be made; prints why not.
CUresult checkCopy(const CUDA_MEMCPY3D &copy);
/// A copy of consecutive bytes.
CUDA_MEMCPY3D makeCopy(CUdeviceptr destination, const void *source,
                       size_t bytes);

} // namespace amp::sim

/// A node of a graph: a launch, a copy, or other work.
struct CUgraphNode_st {
  enum class Kind { Kernel, Copy, Other };
  Kind kind = Kind::Other;
  amp::sim::KernelLaunch launch;
  CUDA_MEMCPY3D copy = {};
  Work work;
  /// The node of the graph that it was instantiated from.
  CUgraphNode source = nullptr;

  void run(CUcontext context);
};

struct CUgraph_st {
  uint64_t id = 0;
  bool isInvalid = false;
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

struct CUgraphExec_st {
  std::vector<CUgraphNode_st> nodes;
};

namespace amp::sim {

/// The driver. Every exported function holds `lock` while it works.
class Driver {
public:
  static Driver &get();

  /// Devices of this process (AMP_SIM_DEVICES).
  bool isInitialized = false;
  bool isDeferred = false;
  /// The version of CUDA (AMP_SIM_VERSION).
  int version = 12090;
  std::vector<std::unique_ptr<CUctx_st>> contexts;
  Memory memory;
  std::set<CUstream> streams;
  std::set<CUmodule> modules;
  std::set<CUevent> events;
  std::set<CUgraph> graphs;
  std::set<CUgraphExec> execs;
  uint64_t numCaptures = 0;
  std::recursive_mutex lock;

  CUresult initialize();
  /// The context that is current in the thread, or null.
  CUcontext getCurrent();
  /// The stream for a handle, where null is the default stream of the current
  /// context; null where there is none.
  CUstream getStream(CUstream handle);

  /// Does the work, or puts it off.
  void enqueue(CUstream stream, Work work);
  void drain(CUstream stream);
  void drainAll(CUcontext context);
  /// Does the work of the stream up to the event's record.
  void drainTo(CUevent event);
};

/// The contexts that a thread has pushed.
std::vector<CUcontext> &getContextStack();

/// Prints a message that says more than the error's number.
void report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// What every call that works on a context begins with: takes the lock, and
/// finds the context and its sticky error.
class Call {
public:
  Call() : guard(Driver::get().lock), driver(Driver::get()) {
    context = driver.getCurrent();
    error = !driver.isInitialized ? CUDA_ERROR_NOT_INITIALIZED
            : !context            ? CUDA_ERROR_INVALID_CONTEXT
                                  : context->sticky;
  }
  std::lock_guard<std::recursive_mutex> guard;
  Driver &driver;
  CUcontext context;
  CUresult error;
};

} // namespace amp::sim

#endif // AMP_LIB_SIMULATOR_RUNTIME_DRIVER_DRIVER_H
