// The instructions of AMX on memory, for processors without it, after the
// operation sections of Intel's manual (volume 2, TILELOADD, TDPBF16PS,
// TDPBSSD and the like). A tile is 16 rows of 64 bytes; what an instruction
// does not write is zero, as in the registers.

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  uint8_t bytes[16][64];
} Tile;

/// How many products were made, by one thread; for checks.
int64_t amp_emulated_products;

void amp_emulate_tilezero(Tile *to) { memset(to, 0, sizeof *to); }

void amp_emulate_tileload(Tile *to, int16_t rows, int16_t bytes,
                          const char *from, int64_t stride) {
  memset(to, 0, sizeof *to);
  for (int m = 0; m < rows; ++m)
    memcpy(to->bytes[m], from + m * stride, bytes);
}

void amp_emulate_tilestore(const Tile *tile, int16_t rows, int16_t bytes,
                           char *to, int64_t stride) {
  for (int m = 0; m < rows; ++m)
    memcpy(to + m * stride, tile->bytes[m], bytes);
}

static float flush(float x) {
  return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static float widen(const uint8_t *from) {
  uint16_t narrow;
  memcpy(&narrow, from, 2);
  uint32_t bits = (uint32_t)narrow << 16;
  float x;
  memcpy(&x, &bits, 4);
  return flush(x);
}

// Subnormal operands and results are zero whatever MXCSR says.
void amp_emulate_tdpbf16ps(Tile *sums, int16_t rows, int16_t bytes,
                           int16_t depth, const Tile *a, const Tile *b) {
  ++amp_emulated_products;
  for (int m = 0; m < rows; ++m) {
    float products[16][2] = {{0}};
    for (int k = 0; k < depth / 4; ++k)
      for (int n = 0; n < bytes / 4; ++n)
        for (int i = 0; i < 2; ++i)
          products[n][i] =
              flush(fmaf(widen(&a->bytes[m][4 * k + 2 * i]),
                         widen(&b->bytes[k][4 * n + 2 * i]), products[n][i]));
    for (int n = 0; n < bytes / 4; ++n) {
      float sum;
      memcpy(&sum, &sums->bytes[m][4 * n], 4);
      sum = flush(flush(sum) + flush(products[n][0] + products[n][1]));
      memcpy(&sums->bytes[m][4 * n], &sum, 4);
    }
  }
}

static void multiplyBytes(Tile *sums, int rows, int bytes, int depth,
                          const Tile *a, const Tile *b, int isSignedA,
                          int isSignedB) {
  ++amp_emulated_products;
  for (int m = 0; m < rows; ++m)
    for (int k = 0; k < depth / 4; ++k)
      for (int n = 0; n < bytes / 4; ++n) {
        uint32_t sum;
        memcpy(&sum, &sums->bytes[m][4 * n], 4);
        for (int i = 0; i < 4; ++i) {
          uint8_t x = a->bytes[m][4 * k + i], y = b->bytes[k][4 * n + i];
          int32_t product =
              (isSignedA ? (int8_t)x : x) * (isSignedB ? (int8_t)y : y);
          sum += (uint32_t)product;
        }
        memcpy(&sums->bytes[m][4 * n], &sum, 4);
      }
}

#define BYTES(name, isSignedA, isSignedB)                                      \
  void amp_emulate_##name(Tile *sums, int16_t rows, int16_t bytes,             \
                          int16_t depth, const Tile *a, const Tile *b) {       \
    multiplyBytes(sums, rows, bytes, depth, a, b, isSignedA, isSignedB);       \
  }
BYTES(tdpbssd, 1, 1)
BYTES(tdpbsud, 1, 0)
BYTES(tdpbusd, 0, 1)
BYTES(tdpbuud, 0, 0)
