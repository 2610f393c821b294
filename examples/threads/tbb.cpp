// Runs the loops of amp's models on the threads of oneTBB:
//
//   ampSetParallelFor(runWithTBB, nullptr);
//
// Link with -ltbb. tbb::global_control and tbb::task_arena say how many threads
// there are.
#include "amp/Runtime/Parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

extern "C" void runWithTBB(void *, ampParallelBody body, void *context,
                           int64_t count, int64_t grain) {
  // Isolated: a thread that waits here takes up no other work of the embedder,
  // which might hold a lock of its own.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(tbb::blocked_range<int64_t>(0, count, grain),
                      [&](const tbb::blocked_range<int64_t> &range) {
                        body(context, range.begin(), range.end());
                      });
  });
}
