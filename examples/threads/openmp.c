// Runs the loops of amp's models on the threads of OpenMP:
//
//   ampSetParallelFor(runWithOpenMP, NULL);
//
// Compile with -fopenmp. OMP_NUM_THREADS and omp_set_num_threads say how many
// threads there are. In a parallel region of the embedder's own, OpenMP gives a
// nested loop one thread unless omp_set_max_active_levels says otherwise.
#include "amp/Runtime/Parallel.h"

void runWithOpenMP(void *data, ampParallelBody body, void *context,
                   int64_t count, int64_t grain) {
  (void)data;
  int64_t chunks = (count + grain - 1) / grain;
  // Not "static": other work may hold a thread up.
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < chunks; ++i) {
    int64_t begin = i * grain;
    body(context, begin, begin + grain < count ? begin + grain : count);
  }
}
