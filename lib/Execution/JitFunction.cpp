//===- JitFunction.cpp - a compiled function ------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Execution/JitFunction.h"

#include "Engine.h"
#include "amp/Execution/Elements.h"
#include "amp/Runtime/Runtime.h"
#include "amp/Support/Errors.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>
#include <cstring>

using namespace mlir;
using namespace mlir::amp;
using llvm::Expected;

JitFunction::~JitFunction() = default;

Expected<std::unique_ptr<JitFunction>>
JitFunction::create(ModuleOp module, StringRef name, Signature signature) {
  Expected<std::unique_ptr<ExecutionEngine>> engine = createEngine(module);
  if (!engine)
    return engine.takeError();
  Expected<void (*)(void **)> function =
      (*engine)->lookupPacked(("_mlir_ciface_" + name).str());
  if (!function)
    return function.takeError();

  std::unique_ptr<JitFunction> result(new JitFunction(std::move(signature)));
  result->engine = std::move(*engine);
  result->function = *function;
  return result;
}

namespace {
/// MLIR's descriptor of a ranked memref, word by word: the pointer to free, the
/// pointer to the data, the offset, the sizes, the strides (in elements).
class Descriptor {
public:
  static size_t getNumWords(size_t rank) { return 3 + 2 * rank; }

  Descriptor(int64_t *words, size_t rank) : words(words), rank(rank) {}

  void set(const NumpyArray &array) {
    auto pointer = reinterpret_cast<int64_t>(array.getData().data());
    words[0] = words[1] = pointer;
    words[2] = 0;
    int64_t stride = 1;
    for (size_t i = rank; i-- > 0;) {
      words[3 + i] = array.getShape()[i];
      words[3 + rank + i] = stride;
      stride *= array.getShape()[i];
    }
  }

  void *getAllocated() const { return reinterpret_cast<void *>(words[0]); }
  const char *getAligned() const {
    return reinterpret_cast<const char *>(words[1]);
  }
  int64_t getOffset() const { return words[2]; }
  ArrayRef<int64_t> getSizes() const { return {words + 3, rank}; }
  ArrayRef<int64_t> getStrides() const { return {words + 3 + rank, rank}; }

  /// Copies the elements, `width` bytes each, to `to` in row-major order.
  void copyTo(char *to, unsigned width) const {
    const char *from = getAligned() + getOffset() * width;
    copyDimension(0, from, to, width);
  }

private:
  void copyDimension(size_t dimension, const char *from, char *&to,
                     unsigned width) const {
    if (dimension == rank) {
      std::memcpy(to, from, width);
      to += width;
      return;
    }
    int64_t size = getSizes()[dimension], stride = getStrides()[dimension];
    if (dimension + 1 == rank && stride == 1) {
      std::memcpy(to, from, size * width);
      to += size * width;
      return;
    }
    for (int64_t i = 0; i < size; ++i)
      copyDimension(dimension + 1, from + i * stride * width, to, width);
  }

  int64_t *words;
  size_t rank;
};

/// Where the results lie in the struct that the C interface fills in.
struct ResultLayout {
  explicit ResultLayout(ArrayRef<Type> types) {
    for (Type type : types) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      size_t size =
          tensor ? Descriptor::getNumWords(tensor.getRank()) * sizeof(int64_t)
                 : getByteWidth(*getNumpyType(type));
      // Scalars are aligned to their own size; all of them are powers of two.
      numBytes = llvm::alignTo(numBytes, tensor ? sizeof(int64_t) : size);
      offsets.push_back(numBytes);
      numBytes += size;
    }
  }
  SmallVector<size_t> offsets;
  size_t numBytes = 0;
};
} // namespace

Expected<std::vector<NumpyArray>>
JitFunction::run(ArrayRef<const NumpyArray *> inputs) {
  return call(inputs, nullptr);
}

Expected<std::vector<double>>
JitFunction::time(ArrayRef<const NumpyArray *> inputs, unsigned numWarmUps,
                  unsigned numRuns) {
  std::vector<double> times;
  for (unsigned i = 0; i < numWarmUps + numRuns; ++i) {
    double seconds;
    Expected<std::vector<NumpyArray>> results = call(inputs, &seconds);
    if (!results)
      return results.takeError();
    if (i >= numWarmUps)
      times.push_back(seconds);
  }
  return times;
}

Expected<std::vector<NumpyArray>>
JitFunction::call(ArrayRef<const NumpyArray *> inputs, double *seconds) {
  assert(inputs.size() == signature.arguments.size() &&
         "wrong number of inputs");
  // For each argument, the storage of the value that the C interface takes: a
  // pointer to a descriptor, or a scalar.
  SmallVector<SmallVector<int64_t, 8>> descriptors;
  SmallVector<void *> values(inputs.size());
  SmallVector<void *> packed;
  descriptors.reserve(inputs.size());
  for (auto [input, type, value] :
       llvm::zip_equal(inputs, signature.arguments, values)) {
    if (!isa<RankedTensorType>(type)) {
      packed.push_back(const_cast<char *>(input->getData().data()));
      continue;
    }
    size_t rank = input->getShape().size();
    descriptors.emplace_back(Descriptor::getNumWords(rank));
    Descriptor(descriptors.back().data(), rank).set(*input);
    value = descriptors.back().data();
    packed.push_back(&value);
  }

  // A lone scalar is returned; everything else goes into a struct to which the
  // first argument points.
  ResultLayout layout(signature.results);
  std::vector<int64_t> storage(llvm::divideCeil(layout.numBytes, 8) + 1);
  auto *base = reinterpret_cast<char *>(storage.data());
  void *pointer = base;
  bool isLoneScalar = signature.results.size() == 1 &&
                      !isa<RankedTensorType>(signature.results.front());
  if (isLoneScalar)
    packed.push_back(base);
  else if (!signature.results.empty())
    packed.insert(packed.begin(), &pointer);

  auto begin = std::chrono::steady_clock::now();
  function(packed.data());
  auto end = std::chrono::steady_clock::now();
  if (seconds)
    *seconds = std::chrono::duration<double>(end - begin).count();

  std::vector<NumpyArray> results;
  SmallVector<void *> buffers;
  llvm::Error error = llvm::Error::success();
  for (auto [type, offset] :
       llvm::zip_equal(signature.results, layout.offsets)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    NumpyType element = *getNumpyType(getElementTypeOrSelf(type));
    unsigned width = getByteWidth(element);
    Descriptor descriptor(reinterpret_cast<int64_t *>(base + offset),
                          tensor ? tensor.getRank() : 0);
    if (tensor)
      buffers.push_back(descriptor.getAllocated());
    if (error)
      continue;
    Expected<NumpyArray> array = NumpyArray::create(
        element, tensor ? descriptor.getSizes() : ArrayRef<int64_t>());
    if (!array) {
      error = inContext("a result of the function", array.takeError());
      continue;
    }
    if (!tensor)
      std::memcpy(array->getMutableData().data(), base + offset, width);
    else if (array->getNumElements())
      descriptor.copyTo(array->getMutableData().data(), width);
    results.push_back(std::move(*array));
  }
  // Each result is a buffer of its own (see buildCPULoweringPipeline).
  for (void *buffer : buffers)
    amp_free(buffer);
  if (error)
    return std::move(error);
  return results;
}
