//===- MathNumericsTest.cpp - what expanded functions compute -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs what amp-gpu-expand-math emits, on the CPU, over a million bit patterns
// of f32 that are spread evenly, and difficult ones. The oracle is the C
// library's function of f64; the bounds, in ulp of f32, are those of
// MathFunctions.h.
//
// On the CPU an op with `fastmath<afn>` is better than the instruction that it
// stands for, so each function runs three times: as it is, and with the results
// of such ops moved up and down by the instruction's largest error.
//
//===----------------------------------------------------------------------===//

#include "amp/InitAll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace {

struct Descriptor {
  void *allocated, *aligned;
  int64_t offset, size, stride;
};

class MathNumerics : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    static bool once = [] {
      registerAllPasses();
      amp::registerAllPasses();
      llvm::InitializeNativeTarget();
      llvm::InitializeNativeTargetAsmPrinter();
      return true;
    }();
    (void)once;
  }

  MathNumerics() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAllToLLVMIRTranslations(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Computes `op` of all inputs, with approximate ops off by `error`, a
  /// relative one for ex2 and rsqrt; that of reciprocals is half as large.
  std::vector<float> run(const std::string &op, ArrayRef<float> inputs,
                         float error);

  /// Checks `op` against `oracle` to `bound` ulp.
  void check(const std::string &op, double (*oracle)(double), double bound);

  MLIRContext context;
};

std::vector<float> makeInputs() {
  std::vector<float> inputs;
  auto addBits = [&](uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    inputs.push_back(value);
  };
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 4099)
    addBits(bits);
  auto around = [&](float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    for (int delta = -40; delta <= 40; ++delta)
      addBits(bits + delta);
  };
  for (float sign : {1.0f, -1.0f}) {
    for (int exponent = -149; exponent < 128; ++exponent)
      around(sign * std::ldexp(1.0f, exponent));
    // Limits of the functions, and of their cases here.
    for (float value : {88.722839f, 103.97208f, 87.33655f, 0.6f, 0.9999999f,
                        0.34657359f, 4.0f, 3.8325069f, 10.054f, 9.0108f, 1e5f,
                        0.6666667f, 1.3333334f, 17.328680f, 16.635532f,
                        1.57079633f, 3.14159265f, 0.78539816f, 47.123890f})
      around(sign * value);
    // Multiples of pi / 2, where sine and cosine lose most.
    for (int k = 1; k < 4000; k += 3)
      around(sign * static_cast<float>(k * 1.5707963267948966));
    inputs.push_back(sign * std::numeric_limits<float>::infinity());
    inputs.push_back(sign * std::numeric_limits<float>::quiet_NaN());
    inputs.push_back(sign * 0.0f);
  }
  return inputs;
}

bool isApproximate(Operation *op) {
  auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
  return flags && bitEnumContainsAll(flags.getFastMathFlagsAttr().getValue(),
                                     arith::FastMathFlags::afn);
}

std::vector<float> MathNumerics::run(const std::string &op,
                                     ArrayRef<float> inputs, float error) {
  std::string text =
      "func.func @run(%in: memref<?xf32>, %out: memref<?xf32>) attributes "
      "{llvm.emit_c_interface} {\n"
      "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
      "  %n = memref.dim %in, %c0 : memref<?xf32>\n"
      "  scf.for %i = %c0 to %n step %c1 {\n"
      "    %0 = memref.load %in[%i] : memref<?xf32>\n"
      "    %1 = math." +
      op +
      " %0 : f32\n"
      "    memref.store %1, %out[%i] : memref<?xf32>\n  }\n  return\n}\n";
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context));
  std::vector<float> results(inputs.size());
  auto runPasses = [&](StringRef pipeline) {
    PassManager passes(&context);
    return succeeded(parsePassPipeline(pipeline, passes)) &&
           succeeded(passes.run(*module));
  };
  if (!module || !runPasses("func.func(amp-gpu-expand-math)")) {
    ADD_FAILURE() << "cannot expand " << op;
    return results;
  }
  bool isExpanded = true;
  module->walk([&](Operation *found) {
    if (found->getName().getStringRef() == "math." + op &&
        !isApproximate(found))
      isExpanded = false;
    if (error == 0.0f || !isApproximate(found))
      return;
    OpBuilder b(&context);
    b.setInsertionPointAfter(found);
    float factor = 1 + (isa<arith::DivFOp>(found) ? error / 2 : error);
    Value constant = arith::ConstantOp::create(b, found->getLoc(),
                                               b.getF32FloatAttr(factor));
    Value result = found->getResult(0);
    auto moved = arith::MulFOp::create(b, found->getLoc(), result, constant);
    result.replaceAllUsesExcept(moved, moved);
  });
  EXPECT_TRUE(isExpanded) << op;
  if (!runPasses("convert-scf-to-cf,finalize-memref-to-llvm,"
                 "convert-math-to-llvm,convert-math-to-libm,"
                 "convert-arith-to-llvm,convert-func-to-llvm,"
                 "convert-cf-to-llvm,reconcile-unrealized-casts")) {
    ADD_FAILURE() << "cannot lower " << op;
    return results;
  }
  ExecutionEngineOptions options;
  auto transformer = makeOptimizingTransformer(/*optLevel=*/1, /*sizeLevel=*/0,
                                               /*targetMachine=*/nullptr);
  options.transformer = transformer;
  auto engine = ExecutionEngine::create(*module, options);
  if (!engine) {
    ADD_FAILURE() << llvm::toString(engine.takeError());
    return results;
  }
  (*engine)->initialize();
  auto symbol = (*engine)->lookup("_mlir_ciface_run");
  if (!symbol) {
    ADD_FAILURE() << llvm::toString(symbol.takeError());
    return results;
  }
  int64_t size = inputs.size();
  auto *data = const_cast<float *>(inputs.data());
  Descriptor in{data, data, 0, size, 1};
  Descriptor out{results.data(), results.data(), 0, size, 1};
  reinterpret_cast<void (*)(void *, void *)>(*symbol)(&in, &out);
  return results;
}

/// The distance of `found` from `expected` in ulp of f32; an infinity counts as
/// the number that follows the largest one.
double distance(float found, double expected) {
  if (std::isnan(found) || std::isnan(expected))
    return std::isnan(found) && std::isnan(expected)
               ? 0
               : std::numeric_limits<double>::infinity();
  double limit = std::ldexp(1.0, 128);
  expected = std::min(std::max(expected, -limit), limit);
  double value = std::isinf(found) ? std::copysign(limit, found) : found;
  int exponent = -149;
  if (expected != 0)
    exponent = std::max(exponent, std::min(std::ilogb(expected), 127) - 23);
  return std::abs(value - expected) / std::ldexp(1.0, exponent);
}

void MathNumerics::check(const std::string &op, double (*oracle)(double),
                         double bound) {
  static const std::vector<float> inputs = makeInputs();
  std::vector<double> expected;
  for (float x : inputs)
    expected.push_back(oracle(x));
  double worst = 0;
  for (float error : {0.0f, 0x1p-22f, -0x1p-22f}) {
    std::vector<float> results = run(op, inputs, error);
    unsigned failures = 0;
    for (auto [x, want, got] : llvm::zip_equal(inputs, expected, results)) {
      double ulp = distance(got, want);
      worst = std::max(worst, ulp);
      bool wrongZero = want == 0 && std::signbit(got) != std::signbit(want);
      if ((ulp > bound || wrongZero) && ++failures <= 3)
        ADD_FAILURE() << op << "(" << x << ") gave " << got << ", expected "
                      << want << ", off by " << ulp << " ulp with an error of "
                      << error;
    }
    EXPECT_EQ(failures, 0u) << op << " of " << inputs.size();
  }
  RecordProperty("worst_ulp", std::to_string(worst));
}

TEST_F(MathNumerics, Exp) { check("exp", std::exp, 5); }
TEST_F(MathNumerics, ExpM1) { check("expm1", std::expm1, 2); }
TEST_F(MathNumerics, Log) { check("log", std::log, 2); }
TEST_F(MathNumerics, Log2) { check("log2", std::log2, 3); }
TEST_F(MathNumerics, Log10) { check("log10", std::log10, 4); }
TEST_F(MathNumerics, Log1p) { check("log1p", std::log1p, 3); }
TEST_F(MathNumerics, Tanh) { check("tanh", std::tanh, 3); }
TEST_F(MathNumerics, Erf) { check("erf", std::erf, 2); }
TEST_F(MathNumerics, Erfc) { check("erfc", std::erfc, 8); }
TEST_F(MathNumerics, Sin) { check("sin", std::sin, 3); }
TEST_F(MathNumerics, Cos) { check("cos", std::cos, 3); }
TEST_F(MathNumerics, Tan) { check("tan", std::tan, 5); }

} // namespace
