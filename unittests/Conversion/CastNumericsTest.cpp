//===- CastNumericsTest.cpp - what lowered casts compute ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the arith ops that amp-to-linalg emits for amp.cast, for every pair of
// types, on every pattern of 8 and 16 bits, and on difficult and random
// patterns of 32 and 64 bits. The oracle is convertElement, which converts with
// APFloat and APInt and has its own test against plain arithmetic. The bound is
// equality of bits; any NaN equals any NaN.
//
// Pairs of types that the host computes with run natively. Pairs with an 8-bit
// float, which no CPU has, run with the same ops on software floats. Upstream's
// lowering to software floats does not verify for f64 and i64, rounds
// arith.fptosi to nearest, and takes the NaN of f8E8M0FNU for an infinity, so
// these are left out there: such casts go by way of an f32, and both halves are
// covered.
//
// The third way is the one of users: tensors through amp-lower-to-linalg and
// amp-lower-to-cpu, vectorised for the host.
//
//===----------------------------------------------------------------------===//

#include "amp/Formats/Formats.h"
#include "amp/InitAll.h"
#include "amp/Runtime/Runtime.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/AsmState.h"
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

#include <random>

using namespace mlir;

namespace {

/// How the casts are lowered and run.
enum class Backend { Native, SoftwareFloats, CPUPipeline };

struct CastCase {
  std::string from, to;
  std::string options;
  llvm::RoundingMode rounding = llvm::RoundingMode::NearestTiesToEven;
  bool saturate = false;
};

/// A memref<?xT> as the C interface passes it.
struct Descriptor {
  void *allocated, *aligned;
  int64_t offset, size, stride;
};

class CastNumerics : public ::testing::Test {
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

  CastNumerics() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    amp::registerAllDialects(registry);
    registerAllToLLVMIRTranslations(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  Type type(StringRef text) { return parseType(text, &context); }

  /// Runs all of `cases`, and compares every result with the oracle.
  void check(ArrayRef<CastCase> cases, Backend backend);

  MLIRContext context;
};

unsigned widthOf(Type type) { return type.getIntOrFloatBitWidth(); }
unsigned bytesOf(Type type) { return (widthOf(type) + 7) / 8; }

/// A function that loads, casts and stores each element, all as integers.
std::string emitFunction(size_t index, const CastCase &c, Type from, Type to) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string in = "i" + std::to_string(8 * bytesOf(from));
  std::string out = "i" + std::to_string(8 * bytesOf(to));
  std::string fromBits = "i" + std::to_string(widthOf(from));
  std::string toBits = "i" + std::to_string(widthOf(to));
  auto convert = [](Type type) {
    if (isa<FloatType>(type))
      return "arith.bitcast";
    return "builtin.unrealized_conversion_cast";
  };
  os << "func.func @cast" << index << "(%in: memref<?x" << in
     << ">, %out: memref<?x" << out
     << ">) attributes {llvm.emit_c_interface} {\n"
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
        "  %n = memref.dim %in, %c0 : memref<?x"
     << in << ">\n  scf.for %i = %c0 to %n step %c1 {\n"
     << "    %0 = memref.load %in[%i] : memref<?x" << in << ">\n";
  std::string value = "%0", kind = in;
  if (fromBits != in) {
    os << "    %1 = arith.trunci %0 : " << in << " to " << fromBits << "\n";
    value = "%1", kind = fromBits;
  }
  if (kind != c.from) {
    os << "    %2 = " << convert(from) << " " << value << " : " << kind
       << " to " << c.from << "\n";
    value = "%2";
  }
  os << "    %3 = amp.cast " << value << " " << c.options << " : " << c.from
     << " to " << c.to << "\n";
  value = "%3", kind = c.to;
  if (kind != toBits) {
    os << "    %4 = " << convert(to) << " %3 : " << c.to << " to " << toBits
       << "\n";
    value = "%4", kind = toBits;
  }
  if (kind != out) {
    os << "    %5 = arith.extui " << value << " : " << kind << " to " << out
       << "\n";
    value = "%5";
  }
  os << "    memref.store " << value << ", %out[%i] : memref<?x" << out
     << ">\n  }\n  return\n}\n";
  return text;
}

/// A function that casts a tensor.
std::string emitTensorFunction(size_t index, const CastCase &c) {
  std::string in = "tensor<?x" + c.from + ">", out = "tensor<?x" + c.to + ">";
  return "func.func @cast" + std::to_string(index) + "(%in: " + in + ") -> " +
         out + " {\n  %0 = amp.cast %in " + c.options + " : " + in + " to " +
         out + "\n  return %0 : " + out + "\n}\n";
}

/// Bit patterns to convert from `type`: all of up to 16 bits, else those around
/// powers of two and around the values, ties and limits of narrower formats,
/// and random ones.
std::vector<uint64_t> makeInputs(Type type) {
  unsigned width = widthOf(type);
  std::vector<uint64_t> inputs;
  if (width <= 16) {
    for (uint64_t bits = 0; bits < (uint64_t(1) << width); ++bits)
      inputs.push_back(bits);
    return inputs;
  }
  uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  auto around = [&](uint64_t bits) {
    for (int64_t delta : {-2, -1, 0, 1, 2})
      inputs.push_back((bits + delta) & mask);
  };
  std::mt19937_64 random(width);
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &sem = floating.getFloatSemantics();
    auto addValue = [&](llvm::APFloat value) {
      bool losesInfo;
      value.convert(sem, llvm::RoundingMode::NearestTiesToEven, &losesInfo);
      around(value.bitcastToAPInt().getZExtValue());
    };
    // Every value of f16, and the ties between them; upper halves of f32 are
    // the values of bf16 and their ties.
    for (unsigned bits = 0; bits < 0x10000; bits += 251) {
      llvm::APFloat value(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits));
      addValue(value);
      uint32_t tie = (bits << 16) | ((bits % 3) << 15);
      addValue(
          llvm::APFloat(llvm::APFloat::IEEEsingle(), llvm::APInt(32, tie)));
    }
    for (int exponent = -1074; exponent < 1024; exponent += 7)
      for (double factor : {1.0, -1.0, 1.5, 1.25, 1.0625, 1.03125})
        addValue(llvm::APFloat(std::ldexp(factor, exponent)));
    // Limits and ties of integers and of 8-bit floats.
    for (double value : {127.5,
                         128.0,
                         128.5,
                         255.5,
                         256.0,
                         32767.5,
                         32768.0,
                         65503.9,
                         65504.0,
                         65519.9,
                         65520.0,
                         464.0,
                         480.0,
                         240.0,
                         248.0,
                         30.0,
                         15.5,
                         2147483647.0,
                         2147483648.0,
                         4294967295.0,
                         4294967296.0,
                         9223372036854775807.0,
                         18446744073709551615.0,
                         0.5,
                         0.0})
      for (double sign : {1.0, -1.0})
        addValue(llvm::APFloat(sign * value));
  } else {
    for (unsigned k = 0; k < width; ++k) {
      uint64_t power = uint64_t(1) << k;
      around(power);
      around(-power);
      // Ties of 1, 8, 11, 24 and 53 bits, of even and of odd neighbours.
      for (unsigned precision : {1, 8, 11, 24, 53})
        if (k >= precision)
          for (uint64_t odd : {0, 1}) {
            uint64_t tie = power + (odd << (k - precision + 1)) +
                           (uint64_t(1) << (k - precision));
            around(tie);
            around(-tie);
          }
    }
    for (int i = 0; i < 2000; ++i)
      inputs.push_back((random() >> (random() % width)) & mask);
  }
  for (int i = 0; i < 3000; ++i)
    inputs.push_back(random() & mask);
  return inputs;
}

/// Every boundary of rounding from f32 to `to`, with its neighbours: the values
/// of `to`, the ties between them, and the tie beyond the largest.
void addBoundaries(FloatType to, std::vector<uint64_t> &inputs) {
  const llvm::fltSemantics &sem = to.getFloatSemantics();
  auto decode = [&](uint64_t bits) {
    return llvm::APFloat(sem, llvm::APInt(to.getWidth(), bits));
  };
  auto isFinite = [&](uint64_t bits) {
    unsigned signs = llvm::APFloat::semanticsHasSignedRepr(sem);
    return bits < (uint64_t(1) << (to.getWidth() - signs)) &&
           decode(bits).isFinite();
  };
  auto around = [&](double value) {
    llvm::APFloat narrow(value);
    bool losesInfo;
    narrow.convert(llvm::APFloat::IEEEsingle(),
                   llvm::RoundingMode::NearestTiesToEven, &losesInfo);
    uint64_t bits = narrow.bitcastToAPInt().getZExtValue();
    for (uint64_t sign : {uint64_t(0), uint64_t(1) << 31})
      for (int64_t delta : {-1, 0, 1})
        inputs.push_back(((bits & 0x7FFFFFFF) + delta + (bits ? 0 : 1)) | sign);
  };
  auto valueOf = [&](uint64_t bits) {
    llvm::APFloat value = decode(bits);
    bool losesInfo;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::RoundingMode::NearestTiesToEven, &losesInfo);
    return value.convertToDouble();
  };
  for (uint64_t bits = 0; isFinite(bits); ++bits) {
    double value = valueOf(bits);
    double step = isFinite(bits + 1) ? valueOf(bits + 1) - value
                                     : value - valueOf(bits - 1);
    around(value);
    around(value + step / 2);
  }
}

Attribute toAttribute(Type type, uint64_t bits) {
  llvm::APInt value(widthOf(type), bits);
  if (auto floating = dyn_cast<FloatType>(type))
    return FloatAttr::get(type,
                          llvm::APFloat(floating.getFloatSemantics(), value));
  return IntegerAttr::get(type, value);
}

/// The bits of an attribute, with one pattern for all NaNs.
uint64_t toBits(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return integer.getValue().getZExtValue();
  llvm::APFloat value = cast<FloatAttr>(attribute).getValue();
  if (value.isNaN())
    value = llvm::APFloat::getNaN(value.getSemantics());
  return value.bitcastToAPInt().getZExtValue();
}

void CastNumerics::check(ArrayRef<CastCase> cases, Backend backend) {
  std::string text;
  for (auto [index, c] : llvm::enumerate(cases))
    text += backend == Backend::CPUPipeline
                ? emitTensorFunction(index, c)
                : emitFunction(index, c, type(c.from), type(c.to));
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context));
  ASSERT_TRUE(module);
  PassManager passes(&context);
  std::string pipeline = "amp-lower-to-linalg,amp-lower-to-cpu";
  if (backend != Backend::CPUPipeline) {
    pipeline = "amp-to-linalg,";
    // Without include-bf16, x86 takes subnormal values for zero where it has an
    // instruction from f32 to bf16, and calls a function where it has none.
    pipeline += backend == Backend::SoftwareFloats
                    ? "convert-arith-to-apfloat,"
                    : "func.func(arith-expand{include-bf16=true}),";
    pipeline += "convert-scf-to-cf,finalize-memref-to-llvm,"
                "convert-math-to-llvm,convert-arith-to-llvm,"
                "convert-func-to-llvm,convert-cf-to-llvm,"
                "reconcile-unrealized-casts";
  }
  ASSERT_TRUE(succeeded(parsePassPipeline(pipeline, passes)));
  ASSERT_TRUE(succeeded(passes.run(*module)));

  ExecutionEngineOptions options;
  auto transformer = makeOptimizingTransformer(/*optLevel=*/1, /*sizeLevel=*/0,
                                               /*targetMachine=*/nullptr);
  options.transformer = transformer;
  std::string library =
      AMP_MLIR_LIBRARY_DIR "/libmlir_apfloat_wrappers" AMP_SHLIBEXT;
  StringRef libraries[] = {library};
  if (backend == Backend::SoftwareFloats)
    options.sharedLibPaths = libraries;
  llvm::Expected<std::unique_ptr<ExecutionEngine>> engine =
      ExecutionEngine::create(*module, options);
  ASSERT_TRUE(bool(engine)) << llvm::toString(engine.takeError());
  (*engine)->initialize();

  for (auto [index, c] : llvm::enumerate(cases)) {
    Type from = type(c.from), to = type(c.to);
    llvm::Expected<void *> symbol =
        (*engine)->lookup("_mlir_ciface_cast" + std::to_string(index));
    ASSERT_TRUE(bool(symbol)) << llvm::toString(symbol.takeError());
    std::vector<uint64_t> inputs = makeInputs(from);
    auto narrow = dyn_cast<FloatType>(to);
    if (from.isF32() && narrow && narrow.getWidth() < 32 &&
        c.rounding == llvm::RoundingMode::NearestTiesToEven)
      addBoundaries(narrow, inputs);
    unsigned inBytes = bytesOf(from), outBytes = bytesOf(to);
    std::vector<char> in(inputs.size() * inBytes);
    std::vector<char> out(inputs.size() * outBytes);
    for (auto [i, bits] : llvm::enumerate(inputs))
      std::memcpy(&in[i * inBytes], &bits, inBytes);
    int64_t size = inputs.size();
    Descriptor inDescriptor{in.data(), in.data(), 0, size, 1};
    Descriptor outDescriptor{out.data(), out.data(), 0, size, 1};
    if (backend == Backend::CPUPipeline) {
      // A tensor that is returned comes in memory of the runtime.
      auto function = reinterpret_cast<void (*)(void *, void *)>(*symbol);
      Descriptor result;
      function(&result, &inDescriptor);
      ASSERT_EQ(result.size, size);
      ASSERT_EQ(result.stride, 1);
      std::memcpy(out.data(),
                  static_cast<char *>(result.aligned) +
                      result.offset * outBytes,
                  out.size());
      amp_free(result.allocated);
    } else {
      auto function = reinterpret_cast<void (*)(void *, void *)>(*symbol);
      function(&inDescriptor, &outDescriptor);
    }

    unsigned failures = 0, checked = 0;
    for (auto [i, bits] : llvm::enumerate(inputs)) {
      TypedAttr expected = amp::convertElement(toAttribute(from, bits), from,
                                               to, c.rounding, c.saturate);
      if (!expected || (backend == Backend::SoftwareFloats &&
                        isa<Float8E8M0FNUType>(from) && bits == 0xFF))
        continue;
      ++checked;
      uint64_t found = 0;
      std::memcpy(&found, &out[i * outBytes], outBytes);
      Attribute result = toAttribute(to, found);
      uint64_t canonical = toBits(result);
      // The expansions upstream drop the sign of NaN; ours keep it.
      auto wanted = dyn_cast<FloatAttr>(expected);
      if (backend == Backend::CPUPipeline && wanted &&
          wanted.getValue().isNaN() &&
          wanted.getValue().isNegative() !=
              cast<FloatAttr>(result).getValue().isNegative())
        canonical = ~canonical;
      if (canonical != toBits(expected) && ++failures <= 3)
        ADD_FAILURE() << c.from << " to " << c.to << " " << c.options
                      << ": bits " << llvm::utohexstr(bits) << " gave "
                      << llvm::utohexstr(found) << ", but expected "
                      << llvm::utohexstr(toBits(expected));
    }
    EXPECT_EQ(failures, 0u)
        << c.from << " to " << c.to << " " << c.options << " of " << checked;
    EXPECT_GT(checked, 0u);
  }
}

/// Both overflow modes of all pairs from `from` and to `to`.
std::vector<CastCase> pairs(ArrayRef<std::string> from,
                            ArrayRef<std::string> to) {
  std::vector<CastCase> cases;
  for (const std::string &a : from)
    for (const std::string &b : to)
      if (a != b) {
        cases.push_back({a, b, ""});
        cases.push_back({a, b, "{overflow = saturate}",
                         llvm::RoundingMode::NearestTiesToEven, true});
      }
  return cases;
}

const std::vector<std::string> kFloats = {"f64", "f32", "f16", "bf16"};
const std::vector<std::string> kBytes = {
    "f8E4M3FN",   "f8E5M2",        "f8E4M3", "f8E4M3FNUZ",
    "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f8E8M0FNU"};
const std::vector<std::string> kIntegers = {"i1",   "i8",  "ui8",  "i16", "i32",
                                            "ui32", "i64", "ui64", "si16"};
const std::pair<const char *, llvm::RoundingMode> kRoundings[] = {
    {"downward", llvm::RoundingMode::TowardNegative},
    {"upward", llvm::RoundingMode::TowardPositive},
    {"toward_zero", llvm::RoundingMode::TowardZero},
    {"to_nearest_away", llvm::RoundingMode::NearestTiesToAway}};

TEST_F(CastNumerics, FloatToFloat) {
  check(pairs(kFloats, kFloats), Backend::Native);
}

TEST_F(CastNumerics, FloatToInteger) {
  check(pairs(kFloats, kIntegers), Backend::Native);
}

TEST_F(CastNumerics, IntegerToFloat) {
  check(pairs(kIntegers, kFloats), Backend::Native);
}

TEST_F(CastNumerics, IntegerToInteger) {
  check(pairs(kIntegers, kIntegers), Backend::Native);
}

TEST_F(CastNumerics, ToByteFloats) {
  check(pairs({"f32", "f16", "bf16"}, kBytes), Backend::SoftwareFloats);
}

TEST_F(CastNumerics, FromByteFloats) {
  check(pairs(kBytes, {"f32", "f16", "bf16"}), Backend::SoftwareFloats);
}

TEST_F(CastNumerics, BetweenByteFloats) {
  check(pairs(kBytes, kBytes), Backend::SoftwareFloats);
}

TEST_F(CastNumerics, IntegersToByteFloats) {
  check(pairs({"i1", "i8", "ui8", "i16", "i32", "ui32"}, kBytes),
        Backend::SoftwareFloats);
}

/// Integers that a float type does not hold round by integer arithmetic, in
/// every direction.
TEST_F(CastNumerics, IntegerRounding) {
  std::vector<CastCase> cases;
  for (const char *from : {"i32", "ui32", "i64", "ui64"})
    for (const char *to : {"bf16", "f32", "f64"})
      for (auto [name, mode] : kRoundings)
        cases.push_back(
            {from, to, "{rounding = " + std::string(name) + "}", mode});
  check(cases, Backend::Native);
}

/// Every mode of rounding, with and without saturation, of all pairs.
std::vector<CastCase> directedPairs(ArrayRef<std::string> from,
                                    ArrayRef<std::string> to) {
  std::vector<CastCase> cases;
  for (const std::string &a : from)
    for (const std::string &b : to)
      for (auto [name, mode] : kRoundings) {
        std::string rounding = "rounding = " + std::string(name);
        if (a == b)
          continue;
        cases.push_back({a, b, "{" + rounding + "}", mode});
        cases.push_back(
            {a, b, "{" + rounding + ", overflow = saturate}", mode, true});
      }
  return cases;
}

TEST_F(CastNumerics, FloatRounding) {
  check(directedPairs(kFloats, kFloats), Backend::Native);
}

TEST_F(CastNumerics, ByteFloatRounding) {
  check(directedPairs({"f32", "f16"}, kBytes), Backend::SoftwareFloats);
}

//===----------------------------------------------------------------------===//
// Tensors on the CPU
//===----------------------------------------------------------------------===//

TEST_F(CastNumerics, CPUFloats) {
  std::vector<CastCase> cases =
      pairs({"f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"},
            {"f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"});
  llvm::append_range(cases, pairs({"f64"}, {"f32", "bf16", "f8E4M3FN"}));
  llvm::append_range(cases, pairs({"bf16", "f8E5M2"}, {"f64"}));
  llvm::append_range(cases, pairs({"f64"}, {"f8E8M0FNU"}));
  check(cases, Backend::CPUPipeline);
}

// Every pattern of every 8-bit format, to and from every other float.
TEST_F(CastNumerics, CPUToByteFloats) {
  check(pairs({"f32", "f16", "bf16"}, kBytes), Backend::CPUPipeline);
}

TEST_F(CastNumerics, CPUFromByteFloats) {
  check(pairs(kBytes, {"f64", "f32", "f16", "bf16"}), Backend::CPUPipeline);
}

TEST_F(CastNumerics, CPUBetweenByteFloats) {
  check(pairs(kBytes, kBytes), Backend::CPUPipeline);
}

// One cast through f32, one from f64, and those that users write.
TEST_F(CastNumerics, CPUFloatRounding) {
  std::vector<CastCase> cases =
      directedPairs({"f32"}, {"f16", "bf16", "f8E4M3FN", "f8E5M2"});
  llvm::append_range(cases, directedPairs({"f64"}, {"f32", "f16"}));
  llvm::append_range(cases, directedPairs({"bf16"}, {"f16"}));
  check(cases, Backend::CPUPipeline);
}

TEST_F(CastNumerics, CPUIntegers) {
  std::vector<CastCase> cases =
      pairs({"f32", "bf16", "f8E5M2"}, {"i1", "i8", "i64"});
  llvm::append_range(
      cases, pairs({"i1", "i8", "i32", "i64"}, {"f32", "bf16", "f8E4M3FN"}));
  llvm::append_range(cases, pairs({"i1", "i8", "i32"}, {"i8", "i16", "i64"}));
  llvm::append_range(cases, pairs({"f32", "ui8", "si16", "ui64"},
                                  {"ui8", "si8", "f32", "i32"}));
  check(cases, Backend::CPUPipeline);
}

} // namespace
