#include "amp/Runtime/Runtime.h"

#include <stdio.h>

int main(void) {
  amp_enable_tiles();
  amp_enable_tiles();
  puts("enabled twice");
  return 0;
}
