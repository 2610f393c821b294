//===- ModelDescription.cpp - the constant that describes a model ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelDescription.h"

#include "amp/Runtime/CUDA.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::host;

std::optional<int32_t> mlir::amp::host::getDtype(Type type) {
  using Result = std::optional<int32_t>;
  return llvm::TypeSwitch<Type, Result>(type)
      .Case<IndexType>([](auto) { return AMP_I64; })
      .Case<IntegerType>([](IntegerType integer) -> Result {
        bool isUnsigned = integer.isUnsigned();
        switch (integer.getWidth()) {
        case 1:
          return AMP_I1;
        case 8:
          return isUnsigned ? AMP_U8 : AMP_I8;
        case 16:
          return isUnsigned ? AMP_U16 : AMP_I16;
        case 32:
          return isUnsigned ? AMP_U32 : AMP_I32;
        case 64:
          return isUnsigned ? AMP_U64 : AMP_I64;
        default:
          return std::nullopt;
        }
      })
      .Case<Float16Type>([](auto) { return AMP_F16; })
      .Case<BFloat16Type>([](auto) { return AMP_BF16; })
      .Case<Float32Type>([](auto) { return AMP_F32; })
      .Case<Float64Type>([](auto) { return AMP_F64; })
      .Case<Float8E4M3FNType>([](auto) { return AMP_F8E4M3FN; })
      .Case<Float8E5M2Type>([](auto) { return AMP_F8E5M2; })
      .Case<Float8E4M3FNUZType>([](auto) { return AMP_F8E4M3FNUZ; })
      .Case<Float8E5M2FNUZType>([](auto) { return AMP_F8E5M2FNUZ; })
      .Case<Float8E4M3B11FNUZType>([](auto) { return AMP_F8E4M3B11FNUZ; })
      .Case<Float8E4M3Type>([](auto) { return AMP_F8E4M3; })
      .Case<Float8E3M4Type>([](auto) { return AMP_F8E3M4; })
      .Case<Float8E8M0FNUType>([](auto) { return AMP_F8E8M0FNU; })
      .Case<ComplexType>([](ComplexType complex) -> Result {
        if (complex.getElementType().isF32())
          return AMP_C64;
        if (complex.getElementType().isF64())
          return AMP_C128;
        return std::nullopt;
      })
      .Default([](Type) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
/// Builds globals of nested constants.
class Emitter {
public:
  /// Gives a field of a struct its value.
  using Field = std::function<Value(OpBuilder &)>;

  explicit Emitter(ModuleOp module, StringRef prefix)
      : module(module), prefix(prefix), loc(module.getLoc()),
        builder(OpBuilder::atBlockEnd(module.getBody())) {
    MLIRContext *context = module.getContext();
    pointer = LLVM::LLVMPointerType::get(context);
    i32 = IntegerType::get(context, 32);
    i64 = IntegerType::get(context, 64);
    i8 = IntegerType::get(context, 8);
  }

  Field integer(Type type, int64_t value) {
    return [this, type, value](OpBuilder &b) -> Value {
      return LLVM::ConstantOp::create(b, loc, type,
                                      b.getIntegerAttr(type, value));
    };
  }
  Field word(int64_t value) { return integer(i32, value); }
  Field wide(int64_t value) { return integer(i64, value); }

  Field null() {
    return [this](OpBuilder &b) -> Value {
      return LLVM::ZeroOp::create(b, loc, pointer);
    };
  }

  Field address(StringRef symbol) {
    return [this, name = symbol.str()](OpBuilder &b) -> Value {
      return LLVM::AddressOfOp::create(b, loc, pointer, name);
    };
  }

  /// Eight bytes, in place.
  Field magic(StringRef text) {
    std::string padded = text.str();
    padded.resize(8, '\0');
    return [this, padded](OpBuilder &b) -> Value {
      return LLVM::ConstantOp::create(b, loc, LLVM::LLVMArrayType::get(i8, 8),
                                      b.getStringAttr(padded));
    };
  }

  /// The address of a text with its final zero; equal ones are shared.
  Field text(StringRef value) {
    auto [known, isNew] = texts.try_emplace(value);
    if (isNew)
      known->second = bytes((value + Twine('\0')).str(), "text", 1);
    return address(known->second);
  }

  /// A global of `value`; returns its name.
  std::string bytes(StringRef value, StringRef what, unsigned alignment) {
    std::string name = makeName(what);
    auto global = LLVM::GlobalOp::create(
        builder, loc, LLVM::LLVMArrayType::get(i8, value.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name,
        builder.getStringAttr(value));
    global.setAlignment(alignment);
    return name;
  }

  /// The address of an array of integers of `width` bits; null when empty.
  Field integers(unsigned width, ArrayRef<int64_t> values) {
    if (values.empty())
      return null();
    Type type = IntegerType::get(module.getContext(), width);
    SmallVector<Attribute> attributes;
    for (int64_t value : values)
      attributes.push_back(IntegerAttr::get(type, value));
    std::string name = makeName("sizes");
    auto count = static_cast<int64_t>(values.size());
    LLVM::GlobalOp::create(
        builder, loc, LLVM::LLVMArrayType::get(type, count),
        /*isConstant=*/true, LLVM::Linkage::Internal, name,
        DenseElementsAttr::get(RankedTensorType::get({count}, type),
                               attributes));
    return address(name);
  }

  /// The address of an array of structs; null when empty.
  Field structs(LLVM::LLVMStructType type, StringRef what,
                ArrayRef<SmallVector<Field>> rows) {
    if (rows.empty())
      return null();
    std::string name = makeName(what);
    auto array = LLVM::LLVMArrayType::get(type, rows.size());
    global(array, name, LLVM::Linkage::Internal, [&](OpBuilder &b) -> Value {
      Value value = LLVM::PoisonOp::create(b, loc, array);
      for (auto [i, fields] : llvm::enumerate(rows))
        value = LLVM::InsertValueOp::create(b, loc, value,
                                            makeStruct(b, type, fields),
                                            static_cast<int64_t>(i));
      return value;
    });
    return address(name);
  }

  Value makeStruct(OpBuilder &b, LLVM::LLVMStructType type,
                   ArrayRef<Field> fields) {
    assert(type.getBody().size() == fields.size());
    Value value = LLVM::PoisonOp::create(b, loc, type);
    for (auto [i, field] : llvm::enumerate(fields))
      value = LLVM::InsertValueOp::create(b, loc, value, field(b),
                                          static_cast<int64_t>(i));
    return value;
  }

  void global(Type type, StringRef name, LLVM::Linkage linkage, Field value) {
    auto op = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                     linkage, name, Attribute());
    OpBuilder b(module.getContext());
    b.createBlock(&op.getInitializer());
    LLVM::ReturnOp::create(b, loc, value(b));
  }

  LLVM::LLVMStructType type(ArrayRef<Type> fields) {
    return LLVM::LLVMStructType::getLiteral(module.getContext(), fields);
  }

  Type pointer, i8, i32, i64;

private:
  std::string makeName(StringRef what) {
    return (prefix + "." + what + "." + Twine(next++)).str();
  }

  ModuleOp module;
  std::string prefix;
  Location loc;
  OpBuilder builder;
  llvm::StringMap<std::string> texts;
  unsigned next = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// The description
//===----------------------------------------------------------------------===//

static llvm::json::Array describe(ArrayRef<ValueDesc> values) {
  llvm::json::Array result;
  for (const ValueDesc &value : values) {
    llvm::json::Object object{{"name", value.name},
                              {"dtype", ampDtypeName(value.dtype)}};
    if (value.shape) {
      llvm::json::Array shape;
      for (int64_t size : *value.shape)
        shape.push_back(ShapedType::isDynamic(size) ? llvm::json::Value(nullptr)
                                                    : llvm::json::Value(size));
      object["shape"] = std::move(shape);
    }
    if (value.isWeight)
      object["weight"] = true;
    result.push_back(std::move(object));
  }
  return result;
}

static std::string makeManifest(const ModelDesc &model) {
  llvm::json::Array functions, kernels;
  for (const EntryDesc &entry : model.entries)
    functions.push_back(llvm::json::Object{
        {"name", entry.name},
        {"arguments", describe(entry.arguments)},
        {"results", describe(entry.results)},
        {"prepared", describe(entry.prepared)},
        {"graph", entry.isCapturable},
        {"workspace_bytes", entry.workspaceBytes < 0
                                ? llvm::json::Value(nullptr)
                                : llvm::json::Value(entry.workspaceBytes)}});
  for (const KernelDesc &kernel : model.kernels)
    kernels.push_back(llvm::json::Object{{"name", kernel.name},
                                         {"location", kernel.location}});
  uint64_t constantBytes = 0;
  for (const ConstantDesc &constant : model.constants)
    constantBytes += constant.bytes;
  llvm::json::Value manifest = llvm::json::Object{
      {"name", model.name},
      {"target", model.target},
      {"abi", AMP_CUDA_ABI_VERSION},
      {"functions", std::move(functions)},
      {"kernels", std::move(kernels)},
      {"constant_bytes", static_cast<int64_t>(constantBytes)}};
  std::string text;
  llvm::raw_string_ostream(text) << manifest;
  return text;
}

/// The address of an array of ampValueInfo.
static Emitter::Field emitValues(Emitter &e, ArrayRef<ValueDesc> values) {
  LLVM::LLVMStructType type =
      e.type({e.pointer, e.i32, e.i32, e.pointer, e.i32, e.i32});
  SmallVector<SmallVector<Emitter::Field>> rows;
  for (const ValueDesc &value : values) {
    SmallVector<int64_t> shape = value.shape.value_or(SmallVector<int64_t>());
    for (int64_t &size : shape)
      if (ShapedType::isDynamic(size))
        size = AMP_DYNAMIC;
    int64_t flags = (value.shape ? 0 : AMP_VALUE_SCALAR) |
                    (value.isWeight ? AMP_VALUE_WEIGHT : 0);
    rows.push_back({e.text(value.name), e.word(value.dtype),
                    e.word(shape.size()), e.integers(64, shape), e.word(flags),
                    e.word(0)});
  }
  return e.structs(type, "values", rows);
}

static Emitter::Field emitEntries(Emitter &e, const ModelDesc &model) {
  Type p = e.pointer, w = e.i32;
  LLVM::LLVMStructType type =
      e.type({p, p, w, w, w, p, p, p, w, w, p, p, e.i64});
  SmallVector<SmallVector<Emitter::Field>> rows;
  for (const EntryDesc &entry : model.entries) {
    auto initArguments = llvm::to_vector_of<int64_t>(entry.initArguments);
    rows.push_back(
        {e.text(entry.name), e.address(entry.function),
         e.word(entry.isCapturable ? AMP_CUDA_ENTRY_CAPTURABLE : 0),
         e.word(entry.arguments.size()), e.word(entry.results.size()),
         emitValues(e, entry.arguments), emitValues(e, entry.results),
         entry.init.empty() ? e.null() : e.address(entry.init),
         e.word(entry.initArguments.size()), e.word(entry.prepared.size()),
         e.integers(32, initArguments), emitValues(e, entry.prepared),
         e.wide(entry.workspaceBytes)});
  }
  return e.structs(type, "entries", rows);
}

void mlir::amp::host::emitModelDescription(ModuleOp module,
                                           const ModelDesc &model) {
  std::string symbol = model.name + "_model";
  Emitter e(module, symbol);
  Type p = e.pointer, w = e.i32;
  SmallVector<SmallVector<Emitter::Field>> images, kernels, constants;
  for (const ImageDesc &image : model.images) {
    if (!image.bytes) {
      images.push_back({e.address(image.symbol), e.wide(0)});
      continue;
    }
    // PTX ends with a zero; others do not mind one.
    std::string bytes = image.bytes.str() + '\0';
    images.push_back({e.address(e.bytes(bytes, "image", 128)),
                      e.wide(static_cast<int64_t>(bytes.size()))});
  }
  for (const KernelDesc &kernel : model.kernels) {
    auto bytes = llvm::to_vector_of<int64_t>(kernel.paramBytes);
    kernels.push_back({e.text(kernel.name), e.text(kernel.location),
                       e.word(kernel.image), e.word(bytes.size()),
                       e.integers(32, bytes)});
  }
  for (const ConstantDesc &constant : model.constants)
    constants.push_back({e.address(constant.symbol),
                         e.wide(static_cast<int64_t>(constant.bytes))});

  LLVM::LLVMStructType type = e.type({LLVM::LLVMArrayType::get(e.i8, 8), w, w,
                                      p, p, p, w, w, w, w, p, p, p, p});
  SmallVector<Emitter::Field> fields = {
      e.magic(AMP_CUDA_MAGIC),
      e.word(AMP_CUDA_ABI_VERSION),
      e.word(sizeof(ampCudaModelDesc)),
      e.text(model.name),
      e.text(model.target),
      e.text(makeManifest(model)),
      e.word(model.images.size()),
      e.word(model.kernels.size()),
      e.word(model.constants.size()),
      e.word(model.entries.size()),
      e.structs(e.type({p, e.i64}), "images", images),
      e.structs(e.type({p, p, w, w, p}), "kernels", kernels),
      e.structs(e.type({p, e.i64}), "constants", constants),
      emitEntries(e, model)};
  e.global(type, symbol, LLVM::Linkage::External,
           [&](OpBuilder &b) { return e.makeStruct(b, type, fields); });
}
