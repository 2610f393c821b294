// As much of cublasLt as scripts/gpu_check/cublaslt.py calls, on memory of the
// simulator: column-major products with bias, ReLU and GELU. Offers two
// algorithms, and one in between that it cannot run. With
// AMP_FAKE_CUBLASLT=wrong it reads its first operand the other way round.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { Ok = 0, InvalidValue = 7, NotSupported = 15 };
enum { F32 = 0, F16 = 2, I8 = 3, I32 = 10, BF16 = 14, E4M3 = 28 };
enum { TransA = 3, TransB = 4, Epilogue = 7, Bias = 8, FastAccum = 25 };

typedef struct {
  int32_t compute, scale, transA, transB, epilogue, fastAccum;
  const void *bias;
} Desc;
typedef struct {
  int32_t type, batch;
  uint64_t rows, cols;
  int64_t ld, stride;
} Layout;
typedef struct {
  uint64_t algo[8];
  size_t workspace;
  int32_t state;
  float waves;
  int32_t reserved[4];
} Result;

static double decode(int type, const void *base, size_t i) {
  switch (type) {
  case F32:
    return ((const float *)base)[i];
  case F16:
    return ((const _Float16 *)base)[i];
  case I8:
    return ((const int8_t *)base)[i];
  case BF16: {
    uint32_t bits = (uint32_t)((const uint16_t *)base)[i] << 16;
    float value;
    memcpy(&value, &bits, 4);
    return value;
  }
  default: {
    uint8_t bits = ((const uint8_t *)base)[i];
    int exponent = bits >> 3 & 15, mantissa = bits & 7;
    double size = exponent ? ldexp(1 + mantissa / 8.0, exponent - 7)
                           : ldexp(mantissa / 8.0, -6);
    return bits & 128 ? -size : size;
  }
  }
}

static void encode(int type, void *base, size_t i, double value) {
  if (type == F32) {
    ((float *)base)[i] = (float)value;
  } else if (type == F16) {
    ((_Float16 *)base)[i] = (_Float16)value;
  } else if (type == I32) {
    ((int32_t *)base)[i] = (int32_t)value;
  } else {
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, 4);
    ((uint16_t *)base)[i] =
        (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
}

int cublasLtCreate(void **handle) {
  *handle = calloc(1, 1);
  return Ok;
}

int cublasLtMatmulDescCreate(Desc **desc, int compute, int scale) {
  *desc = calloc(1, sizeof(Desc));
  (*desc)->compute = compute;
  (*desc)->scale = scale;
  (*desc)->epilogue = 1;
  return Ok;
}

int cublasLtMatmulDescSetAttribute(Desc *desc, int attribute, const void *value,
                                   size_t size) {
  switch (attribute) {
  case TransA:
    return size == 4 ? memcpy(&desc->transA, value, 4), Ok : InvalidValue;
  case TransB:
    return size == 4 ? memcpy(&desc->transB, value, 4), Ok : InvalidValue;
  case Epilogue:
    return size == 4 ? memcpy(&desc->epilogue, value, 4), Ok : InvalidValue;
  case Bias:
    return size == 8 ? memcpy(&desc->bias, value, 8), Ok : InvalidValue;
  case FastAccum:
    return size == 1 ? desc->fastAccum = *(const int8_t *)value,
                       Ok : InvalidValue;
  }
  return InvalidValue;
}

int cublasLtMatrixLayoutCreate(Layout **layout, int type, uint64_t rows,
                               uint64_t cols, int64_t ld) {
  *layout = calloc(1, sizeof(Layout));
  **layout = (Layout){type, 1, rows, cols, ld, 0};
  return ld >= (int64_t)rows ? Ok : InvalidValue;
}

int cublasLtMatrixLayoutSetAttribute(Layout *layout, int attribute,
                                     const void *value, size_t size) {
  if (attribute == 5 && size == 4)
    memcpy(&layout->batch, value, 4);
  else if (attribute == 6 && size == 8)
    memcpy(&layout->stride, value, 8);
  else
    return InvalidValue;
  return Ok;
}

int cublasLtMatmulPreferenceCreate(void **preference) {
  *preference = calloc(1, 1);
  return Ok;
}

int cublasLtMatmulPreferenceSetAttribute(void *preference, int attribute,
                                         const void *value, size_t size) {
  (void)preference, (void)value;
  return attribute == 1 && size == 8 ? Ok : InvalidValue;
}

int cublasLtMatmulAlgoGetHeuristic(void *handle, Desc *desc, Layout *a,
                                   Layout *b, Layout *c, Layout *d,
                                   void *preference, int requested,
                                   Result *results, int *found) {
  (void)handle, (void)preference, (void)c;
  uint64_t m = desc->transA ? a->cols : a->rows,
           k = desc->transA ? a->rows : a->cols;
  uint64_t k2 = desc->transB ? b->cols : b->rows,
           n = desc->transB ? b->rows : b->cols;
  if (m != d->rows || n != d->cols || k != k2 || requested < 3)
    return InvalidValue;
  for (int i = 0; i < 3; ++i) {
    results[i].algo[0] = 100 + i;
    results[i].state = i == 1 ? NotSupported : Ok;
  }
  *found = 3;
  return Ok;
}

int cublasLtMatmul(void *handle, Desc *desc, const void *alpha, const void *a,
                   Layout *la, const void *b, Layout *lb, const void *beta,
                   const void *c, Layout *lc, void *d, Layout *ld,
                   const uint64_t *algo, void *workspace, size_t size,
                   void *stream) {
  (void)handle, (void)c, (void)lc, (void)workspace, (void)stream;
  double one =
      desc->scale == I32 ? *(const int32_t *)alpha : *(const float *)alpha;
  double zero =
      desc->scale == I32 ? *(const int32_t *)beta : *(const float *)beta;
  if (one != 1 || zero != 0 || (algo[0] != 100 && algo[0] != 102) || !size ||
      (la->type == E4M3) != desc->fastAccum ||
      (la->type == I8) != (desc->compute == 72))
    return InvalidValue;
  int wrong = getenv("AMP_FAKE_CUBLASLT") != NULL;
  uint64_t m = ld->rows, n = ld->cols,
           depth = desc->transA ? la->rows : la->cols;
  for (int z = 0; z < ld->batch; ++z)
    for (uint64_t j = 0; j < n; ++j)
      for (uint64_t i = 0; i < m; ++i) {
        double sum = 0;
        for (uint64_t k = 0; k < depth; ++k) {
          size_t ia =
              (desc->transA != 0) != wrong ? k + i * la->ld : i + k * la->ld;
          size_t ib = desc->transB ? j + k * lb->ld : k + j * lb->ld;
          sum += decode(la->type, a, z * la->stride + ia) *
                 decode(lb->type, b, z * lb->stride + ib);
        }
        if (desc->epilogue & 4)
          sum += decode(ld->type, desc->bias, i);
        if (desc->epilogue & 2)
          sum = sum > 0 ? sum : 0;
        if (desc->epilogue & 32)
          sum *= 0.5 * (1 + erf(sum * sqrt(0.5)));
        encode(ld->type, d, z * ld->stride + i + j * ld->ld, sum);
      }
  return Ok;
}
