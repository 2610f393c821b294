// A CUDA driver that finds no device: every function fails with
// CUDA_ERROR_NO_DEVICE.
#include "DriverTypes.h"

#define AMP_CUDA_DRIVER(symbol, parameters)                                    \
  int symbol parameters { return 100; }
#include "Driver.def"
