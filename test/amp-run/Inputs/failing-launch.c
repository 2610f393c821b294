// The simulator's driver, whose launches end with the error that the
// environment variable FAILING_LAUNCH is. Everything else is found in the
// library that this one is linked to.
#include "DriverTypes.h"
#include <stdlib.h>

int cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                     void **params, void **extra) {
  (void)config, (void)function, (void)params, (void)extra;
  return atoi(getenv("FAILING_LAUNCH"));
}
