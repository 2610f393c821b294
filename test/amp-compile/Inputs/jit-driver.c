// A CUDA driver, the simulator's but for modules: it takes PTX, as a device's
// just-in-time compiler does, says what it was given, and runs nothing.
#include "DriverTypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 20];

CUresult cuModuleLoadDataEx(CUmodule *module, const void *data,
                            unsigned numOptions, int *options, void **values) {
  // A text ends with a zero: this reads as far as the driver does.
  size_t length = strlen(data);
  if (length >= sizeof text)
    return 218;
  strcpy(text, data);
  const char *target = strstr(text, ".target");
  if (!target || strcmp(text + length - 2, "}\n") != 0) {
    fprintf(stderr, "jit: no PTX\n");
    return 218;
  }
  fprintf(stderr, "jit: %.*s\n", (int)strcspn(target, "\n"), target);
  const char *refuse = getenv("TEST_JIT_REFUSES");
  if (refuse) {
    char *log = NULL;
    size_t room = 0;
    for (unsigned i = 0; i < numOptions; ++i) {
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
        log = values[i];
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
        room = (size_t)values[i];
    }
    if (log)
      snprintf(log, room, "%s\n", refuse);
    return 218; // CUDA_ERROR_INVALID_PTX
  }
  *module = (CUmodule)text;
  return 0;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  char entry[256];
  snprintf(entry, sizeof entry, ".entry %s(", name);
  const char *found = strstr((const char *)module, entry);
  if (!found)
    return 500; // CUDA_ERROR_NOT_FOUND
  fprintf(stderr, "jit: function %s\n", name);
  *function = (CUfunction)found;
  return 0;
}

CUresult cuModuleUnload(CUmodule module) {
  return module == (CUmodule)text ? 0 : 400;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **params, void **extra) {
  fprintf(stderr, "jit: launch of %u blocks of %u threads\n", config->gridDimX,
          config->blockDimX);
  return 0;
}
