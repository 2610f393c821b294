//===- Im2colView.cpp - inputs of convolutions as TMA sees them -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Im2colView.h"

#include "TmaView.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

/// Starts and strides are multiples of so many bytes.
static constexpr int64_t kUnit = 16;
/// Coordinates are signed words, and tiles may reach beyond the last one.
static constexpr int64_t kMaxSize = (int64_t(1) << 31) - 1024;

static int64_t getKnown(int64_t size) {
  return ShapedType::isDynamic(size) ? -1 : size;
}

bool hopper::hasWindows(const Contraction &c, const ContractionOperand &x) {
  if (!x.direct)
    return false;
  if (!x.direct->bounds.empty())
    return true;
  linalg::GenericOp op = c.op;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  return llvm::any_of(x.direct->indices, [&](AffineExpr index) {
    auto form = getLinearForm(index, sizes.size());
    if (!form)
      return false;
    unsigned loops = 0;
    for (auto [factor, size] : llvm::zip(*form, sizes)) {
      if (factor == 0 || size == 1)
        continue;
      if (factor != 1)
        return true;
      ++loops;
    }
    return loops > 1;
  });
}

namespace {
/// Makes a view dimension by dimension.
class Matcher {
public:
  Matcher(const Kernel &kernel, const Contraction &c,
          const ContractionOperand &x, ArrayRef<int64_t> sizes,
          ArrayRef<unsigned> own, std::string &reason)
      : c(c), direct(*x.direct), sizes(sizes), own(own), reason(reason),
        function(kernel.function) {
    view.argument = direct.argument;
    source = kernel.getBufferType(direct.argument);
    std::tie(strides, offset) = source.getStridesAndOffset();
  }

  FailureOr<Im2colView> match() {
    if (failed(readDims()) || failed(orderDims()) || failed(makeType()))
      return failure();
    return view;
  }

private:
  LogicalResult fail(const Twine &why) {
    reason = why.str();
    return failure();
  }

  bool isOneOf(unsigned loop, ArrayRef<unsigned> loops) const {
    return llvm::is_contained(loops, loop);
  }

  /// What each dimension of the argument is.
  LogicalResult readDims() {
    bool hasChannels = false;
    for (auto [dim, index] : llvm::enumerate(direct.indices)) {
      auto form = getLinearForm(index, sizes.size());
      if (!form)
        return fail("it is not indexed by sums of loops");
      int64_t size = source.getDimSize(dim);
      Im2colView::Dim entry;
      entry.source = dim;
      entry.window.size = getKnown(size);
      entry.window.low = form->back();
      bool isBounded = false;
      int64_t high = 0;
      for (const DirectOperand::Bound &bound : direct.bounds) {
        // Zero is what lies outside of the whole argument.
        if (bound.tensor != function.getArgument(direct.argument))
          return fail("what is padded is a part of its buffer");
        if (bound.dim != int64_t(dim))
          continue;
        isBounded = true;
        high = bound.high;
      }
      for (unsigned loop = 0; loop < sizes.size(); ++loop) {
        int64_t factor = (*form)[loop];
        if (factor == 0 || sizes[loop] == 1)
          continue;
        if (factor < 0)
          return fail("it is read backwards");
        bool isTap = isOneOf(loop, c.k);
        int64_t &known = isTap ? entry.tap : entry.loop;
        if (known >= 0)
          return fail("a dimension is indexed by two loops of " +
                      Twine(isTap ? "the reduction" : "the result"));
        known = loop;
        (isTap ? entry.window.dilation : entry.window.stride) = factor;
      }
      // Channels are contiguous, and the only loop there.
      if (dim + 1 == direct.indices.size()) {
        if (entry.tap < 0 || entry.loop >= 0 || entry.window.dilation != 1 ||
            isBounded)
          return fail("its channels are not contiguous");
        hasChannels = true;
        view.channels = entry.tap;
        view.channelDim = dim;
        view.firstChannel = entry.window.low;
        continue;
      }
      if (entry.tap >= 0) {
        if (ShapedType::isDynamic(sizes[entry.tap]))
          return fail("the number of taps of its filter is not known");
        entry.window.taps = sizes[entry.tap];
      }
      entry.window.outputs = entry.loop >= 0 ? getKnown(sizes[entry.loop]) : 1;
      if (entry.window.outputs == 0 || entry.window.size == 0)
        return fail("it is empty");
      if (entry.window.size >= 0 && entry.window.outputs >= 0) {
        entry.upper = entry.window.getUpper();
      } else if (ShapedType::isDynamic(high)) {
        return fail("its padding is not known");
      } else {
        entry.upper = high - (entry.window.taps - 1) * entry.window.dilation;
      }
      read.push_back(entry);
    }
    if (!hasChannels)
      return fail("its channels are not contiguous");
    for (unsigned loop : c.k)
      if (loop != view.channels && sizes[loop] != 1 &&
          llvm::none_of(read, [&](const Im2colView::Dim &dim) {
            return dim.tap == int64_t(loop);
          }))
        return fail("loop " + Twine(loop) + " is over no dimension of it");
    return success();
  }

  /// Sorts the dimensions as pixels follow each other: those of one window,
  /// those of M or N, the innermost loop first, those of the batch.
  LogicalResult orderDims() {
    auto take = [&](int64_t loop) {
      for (const Im2colView::Dim &dim : read)
        if (dim.loop == loop)
          view.dims.push_back(dim);
    };
    take(-1);
    for (ArrayRef<unsigned> loops : {own, ArrayRef<unsigned>(c.batch)})
      for (unsigned loop : llvm::reverse(loops)) {
        if (sizes[loop] == 1)
          continue;
        size_t before = view.dims.size();
        take(loop);
        if (view.dims.size() != before + 1)
          return fail("loop " + Twine(loop) +
                      " is over none of its dimensions, or over several");
      }
    // Windows of single pixels, without any dimension for them, may go first.
    llvm::erase_if(view.dims, [](const Im2colView::Dim &dim) {
      return dim.loop < 0 && dim.window.size == 1 && dim.window.low == 0 &&
             dim.window.taps == 1;
    });
    auto isPlain = [](const Im2colView::Dim &dim) {
      return dim.window.taps == 1 && dim.window.stride == 1 &&
             dim.window.low == 0 && (dim.loop >= 0 || dim.window.size == 1);
    };
    if (view.dims.empty() || !isPlain(view.dims.back()))
      view.dims.push_back({});
    while (view.dims.size() < 2)
      view.dims.insert(view.dims.begin(), Im2colView::Dim());
    if (view.getRank() > kMaxTmaRank)
      return fail("it has more than five dimensions");
    for (const Im2colView::Dim &dim : view.getSpatial()) {
      Im2colDim window = dim.window;
      // Stand-ins that give the corner that was taken.
      if (window.size < 0 || window.outputs < 0) {
        window.outputs = 1;
        window.size = window.low + 1 - dim.upper;
      }
      std::string wrong = checkIm2col(window, view.getSpatial().size());
      if (!wrong.empty())
        return fail(wrong);
    }
    return success();
  }

  LogicalResult makeType() {
    constexpr int64_t kDynamic = ShapedType::kDynamic;
    int64_t bytes = source.getElementTypeBitWidth() / 8;
    auto fits = [&](int64_t elements) {
      return ShapedType::isDynamic(elements) || elements * bytes % kUnit == 0;
    };
    int64_t start =
        ShapedType::isDynamic(offset) ? kDynamic : offset + view.firstChannel;
    if (view.firstChannel < 0 || !fits(view.firstChannel) || !fits(start))
      return fail("it does not start at a multiple of 16 bytes");
    if (ShapedType::isDynamic(strides.back()) || strides.back() != 1)
      return fail("its channels are not contiguous");
    SmallVector<int64_t> shape, steps;
    for (const Im2colView::Dim &dim : llvm::reverse(view.dims)) {
      int64_t size = dim.source < 0 ? 1 : source.getDimSize(dim.source);
      if (!ShapedType::isDynamic(size) && size > kMaxSize)
        return fail("it has " + Twine(size) + " elements along a dimension");
      shape.push_back(size);
      steps.push_back(size == 1 ? kUnit : strides[dim.source]);
      if (!fits(steps.back()) ||
          (!ShapedType::isDynamic(steps.back()) && steps.back() <= 0))
        return fail("it has a stride of " + Twine(steps.back() * bytes) +
                    " bytes, no multiple of 16");
    }
    shape.push_back(sizes[view.channels]);
    steps.push_back(1);
    view.type = MemRefType::get(
        shape, source.getElementType(),
        StridedLayoutAttr::get(source.getContext(), start, steps),
        source.getMemorySpace());
    return success();
  }

  const Contraction &c;
  const DirectOperand &direct;
  ArrayRef<int64_t> sizes;
  ArrayRef<unsigned> own;
  std::string &reason;
  func::FuncOp function;
  MemRefType source;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  SmallVector<Im2colView::Dim> read;
  Im2colView view;
};
} // namespace

FailureOr<Im2colView>
hopper::matchIm2colView(const Kernel &kernel, const Contraction &c,
                        const ContractionOperand &x, ArrayRef<int64_t> sizes,
                        ArrayRef<unsigned> own, std::string &reason) {
  return Matcher(kernel, c, x, sizes, own, reason).match();
}

Value hopper::emitIm2colView(const IndexBuilder &at, const Im2colView &view,
                             Value buffer, ArrayRef<IndexValue> sizes,
                             SmallVectorImpl<Value> &conditions) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  auto metadata =
      memref::ExtractStridedMetadataOp::create(at.b, at.loc, buffer);
  auto [knownSteps, knownStart] = view.type.getStridesAndOffset();
  auto entry = [&](int64_t known, Value value) -> OpFoldResult {
    if (ShapedType::isDynamic(known))
      return value;
    return at.b.getIndexAttr(known);
  };
  OpFoldResult start = at.b.getIndexAttr(knownStart);
  if (ShapedType::isDynamic(knownStart)) {
    IndexValue value =
        IndexValue(at, Value(metadata.getOffset())) + view.firstChannel;
    conditions.push_back(
        IndexValue::equal(at, (value * bytes) & (kUnit - 1), 0));
    start = value.get(at);
  }
  SmallVector<OpFoldResult> shape, steps;
  for (auto [position, dim] : llvm::enumerate(llvm::reverse(view.dims))) {
    int64_t known = view.type.getDimSize(position);
    Value size, step;
    if (dim.source >= 0) {
      size = metadata.getSizes()[dim.source];
      step = metadata.getStrides()[dim.source];
    }
    shape.push_back(entry(known, size));
    steps.push_back(entry(knownSteps[position], step));
    IndexValue elements(at, shape.back());
    if (!elements.getConstant())
      conditions.push_back(IndexValue::less(at, elements - 1, kMaxSize));
    // The bounding box was taken for granted: it must have all windows, and no
    // others. Beyond the last dimension nothing follows.
    if (position == 0 || (dim.window.size >= 0 && dim.window.outputs >= 0))
      continue;
    IndexValue outputs = dim.loop >= 0 ? sizes[dim.loop] : IndexValue(1);
    int64_t stride = dim.window.stride;
    IndexValue windows =
        (elements + (dim.upper - dim.window.low + stride - 1)) / stride;
    conditions.push_back(IndexValue::equal(at, windows, outputs));
  }
  IndexValue channels = sizes[view.channels];
  if (!channels.getConstant())
    conditions.push_back(IndexValue::less(at, channels - 1, kMaxSize));
  shape.push_back(channels.getConstant()
                      ? OpFoldResult(at.b.getIndexAttr(*channels.getConstant()))
                      : OpFoldResult(channels.get(at)));
  if (!ShapedType::isDynamic(view.type.getShape().back()))
    shape.back() = at.b.getIndexAttr(view.type.getShape().back());
  steps.push_back(at.b.getIndexAttr(1));
  return memref::ReinterpretCastOp::create(at.b, at.loc, view.type, buffer,
                                           start, shape, steps);
}
