/* Functions of f64, of arrays: the oracle of functions.py. */
#include <math.h>
#include <string.h>

static double rsqrt(double x) { return 1 / sqrt(x); }

static const struct {
  const char *name;
  double (*function)(double);
} kFunctions[] = {
    {"exp", exp},   {"exp2", exp2},   {"expm1", expm1}, {"log", log},
    {"log2", log2}, {"log10", log10}, {"log1p", log1p}, {"tanh", tanh},
    {"erf", erf},   {"erfc", erfc},   {"sin", sin},     {"cos", cos},
    {"tan", tan},   {"atan", atan},   {"asin", asin},   {"acos", acos},
    {"cbrt", cbrt}, {"sqrt", sqrt},   {"rsqrt", rsqrt}, {"sinh", sinh},
    {"cosh", cosh}, {"asinh", asinh}, {"acosh", acosh}, {"atanh", atanh},
};

/* 0, or 1 for a name that is not known. */
int reference(const char *name, const double *x, double *y, long count) {
  for (unsigned i = 0; i < sizeof(kFunctions) / sizeof(*kFunctions); ++i)
    if (!strcmp(kFunctions[i].name, name)) {
      for (long j = 0; j < count; ++j)
        y[j] = kFunctions[i].function(x[j]);
      return 0;
    }
  return 1;
}
