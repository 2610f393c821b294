// The simulator's driver under another name of its devices.
#include "DriverTypes.h"
#include <stdio.h>

int cuDeviceGetName(char *name, int length, CUdevice device) {
  (void)device;
  snprintf(name, (size_t)length, "another device");
  return 0;
}
