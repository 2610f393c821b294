// Runs code for AMX on any x86 processor: where Linux does not give this
// process tile registers, each of their instructions ends in SIGILL, and is
// then done on memory, after the operation sections of Intel's manual (volume
// 2: LDTILECFG, TILELOADD, TDPBF16PS, TDPBSSD and the like). What an
// instruction does not write of a tile is zero.

#define _GNU_SOURCE

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

typedef struct {
  uint8_t bytes[16][64];
} Tile;

typedef struct {
  uint8_t palette, startRow, reserved[14];
  uint16_t rowBytes[16];
  uint8_t rows[16];
} Config;

static _Thread_local Config config;
static _Thread_local Tile tiles[8];

/// How many products were emulated; -1 where the processor does them.
int64_t amp_emulated_products;

static void check(int isRight, const char *what) {
  if (isRight)
    return;
  const char *parts[] = {"tiles.c: ", what, "\n"};
  for (int i = 0; i < 3; ++i)
    if (write(2, parts[i], strlen(parts[i])) < 0)
      break;
  abort();
}

static void checkTile(int tile) {
  check(config.palette == 1, "no configuration is loaded");
  check(tile < 8 && config.rows[tile] && config.rowBytes[tile],
        "a tile is not configured");
}

static float flush(float x) {
  return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

/// The bf16 elements of a row, as f32 and without subnormal ones.
static void widen(float *to, const uint8_t *from) {
  for (int i = 0; i < 32; ++i) {
    uint16_t narrow;
    memcpy(&narrow, from + 2 * i, 2);
    uint32_t bits = (uint32_t)narrow << 16;
    memcpy(&to[i], &bits, 4);
    to[i] = flush(to[i]);
  }
}

/// Subnormal operands and results are zero whatever MXCSR says.
static void multiplyFloats(Tile *sums, int rows, int columns, int groups,
                           const Tile *a, const Tile *b) {
  float wideB[16][32];
  for (int k = 0; k < groups; ++k)
    widen(wideB[k], b->bytes[k]);
  for (int m = 0; m < rows; ++m) {
    float wideA[32], pairs[32], products[32] = {0};
    widen(wideA, a->bytes[m]);
    for (int k = 0; k < groups; ++k) {
      for (int i = 0; i < 32; ++i)
        pairs[i] = wideA[2 * k + i % 2];
      for (int i = 0; i < 32; ++i)
        products[i] = flush(__builtin_fmaf(pairs[i], wideB[k][i], products[i]));
    }
    for (int n = 0; n < columns; ++n) {
      float sum;
      memcpy(&sum, &sums->bytes[m][4 * n], 4);
      sum = flush(flush(sum) + flush(products[2 * n] + products[2 * n + 1]));
      memcpy(&sums->bytes[m][4 * n], &sum, 4);
    }
  }
}

static void multiplyBytes(Tile *sums, int rows, int columns, int groups,
                          const Tile *a, const Tile *b, int isSignedA,
                          int isSignedB) {
  for (int m = 0; m < rows; ++m)
    for (int k = 0; k < groups; ++k)
      for (int n = 0; n < columns; ++n) {
        uint32_t sum;
        memcpy(&sum, &sums->bytes[m][4 * n], 4);
        for (int i = 0; i < 4; ++i) {
          uint8_t x = a->bytes[m][4 * k + i], y = b->bytes[k][4 * n + i];
          sum += (uint32_t)((isSignedA ? (int8_t)x : x) *
                            (isSignedB ? (int8_t)y : y));
        }
        memcpy(&sums->bytes[m][4 * n], &sum, 4);
      }
}

enum { kNone, k66, kF3, kF2 }; // prefixes, as VEX has them

static void multiply(int opcode, int prefix, int c, int a, int b) {
  checkTile(a);
  checkTile(b);
  checkTile(c);
  int rows = config.rows[c], columns = config.rowBytes[c] / 4;
  int groups = config.rowBytes[a] / 4;
  check(a != b && a != c && b != c && config.rows[a] == rows &&
            config.rows[b] == groups &&
            config.rowBytes[b] == config.rowBytes[c],
        "the tiles of a product do not fit");
  Tile *sums = &tiles[c];
  if (opcode == 0x5c && prefix == kF3)
    multiplyFloats(sums, rows, columns, groups, &tiles[a], &tiles[b]);
  else if (opcode == 0x5e)
    multiplyBytes(sums, rows, columns, groups, &tiles[a], &tiles[b],
                  prefix == kF2 || prefix == kF3,
                  prefix == kF2 || prefix == k66);
  else
    check(0, "unknown product of tiles");
  for (int m = rows; m < 16; ++m)
    memset(sums->bytes[m], 0, 64);
  __atomic_add_fetch(&amp_emulated_products, 1, __ATOMIC_RELAXED);
}

/// Whatever the number in an instruction, in ModRM's order of registers.
static int64_t readRegister(const ucontext_t *context, int number) {
  static const int order[] = {
      REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
      REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return context->uc_mcontext.gregs[order[number]];
}

/// Does the instruction at the context's place, and moves that behind it.
static void emulate(int signal, siginfo_t *info, void *argument) {
  (void)signal, (void)info;
  ucontext_t *context = argument;
  greg_t *place = &context->uc_mcontext.gregs[REG_RIP];
  const uint8_t *code = (const uint8_t *)*place;
  check(code[0] == 0xc4 && (code[1] & 31) == 2 && !(code[2] & 0x84),
        "an instruction is not of AMX");
  int isHighIndex = !(code[1] & 0x40), isHighBase = !(code[1] & 0x20);
  int vector = ~code[2] >> 3 & 15, prefix = code[2] & 3, opcode = code[3];
  int mode = code[4] >> 6, reg = code[4] >> 3 & 7, rm = code[4] & 7;
  const uint8_t *end = code + 5;
  if (mode == 3) {
    if (opcode == 0x49 && prefix == kF2) {
      checkTile(reg);
      memset(&tiles[reg], 0, sizeof *tiles);
    } else if (opcode == 0x49 && prefix == kNone) {
      memset(&config, 0, sizeof config);
    } else {
      multiply(opcode, prefix, reg, rm, vector);
    }
    *place = (greg_t)end;
    return;
  }
  int64_t address = 0, stride = 0;
  int base = rm, hasBase = 1;
  if (rm == 4) {
    int sib = *end++, index = (sib >> 3 & 7) + 8 * isHighIndex;
    base = sib & 7;
    if (index != 4)
      stride = (int64_t)((uint64_t)readRegister(context, index) << (sib >> 6));
  }
  if (mode == 0 && base == 5) {
    hasBase = 0;
    check(rm == 4, "an address relative to the code is not expected");
    mode = 2;
  }
  if (hasBase)
    address = readRegister(context, base + 8 * isHighBase);
  if (mode == 1) {
    address += (int8_t)*end++;
  } else if (mode == 2) {
    int32_t offset;
    memcpy(&offset, end, 4);
    address += offset;
    end += 4;
  }
  uint8_t *memory = (uint8_t *)address;
  if (opcode == 0x49 && prefix == kNone && reg == 0) {
    memcpy(&config, memory, sizeof config);
    check(config.palette == 1 && config.startRow == 0,
          "a configuration has an unknown palette or begins within a tile");
    for (int i = 0; i < 16; ++i)
      check(config.rows[i] <= (i < 8 ? 16 : 0) &&
                config.rowBytes[i] <= (i < 8 ? 64 : 0),
            "a configuration has tiles that are too large");
    memset(tiles, 0, sizeof tiles);
  } else if (opcode == 0x4b && (prefix == kF2 || prefix == k66)) {
    checkTile(reg);
    memset(&tiles[reg], 0, sizeof *tiles);
    for (int m = 0; m < config.rows[reg]; ++m)
      memcpy(tiles[reg].bytes[m], memory + m * stride, config.rowBytes[reg]);
  } else if (opcode == 0x4b && prefix == kF3) {
    checkTile(reg);
    for (int m = 0; m < config.rows[reg]; ++m)
      memcpy(memory + m * stride, tiles[reg].bytes[m], config.rowBytes[reg]);
  } else {
    check(0, "an instruction is not of AMX, or is not known");
  }
  *place = (greg_t)end;
}

/// In place of the runtime's, which fails where there are no registers.
void amp_enable_tiles(void) {
  static int isDone;
  if (isDone)
    return;
  isDone = 1;
  if (syscall(SYS_arch_prctl, 0x1023, 18) == 0) {
    amp_emulated_products = -1;
    return;
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = emulate;
  action.sa_flags = SA_SIGINFO;
  check(sigaction(SIGILL, &action, NULL) == 0, "SIGILL cannot be handled");
}
