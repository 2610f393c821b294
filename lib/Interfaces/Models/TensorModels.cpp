//===- TensorModels.cpp - precision models for tensor ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelUtils.h"

#include "amp/Interfaces/Models.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::amp;

namespace {

/// Ops whose region yields elements of the result: the yielded value is cast to
/// the new element type, since it may be a value from outside.
template <PrecisionClass Class>
struct YieldingModel {
  template <typename Op>
  struct Of : ModelBase<Of<Op>, Op, Class> {
    LogicalResult retype(Operation *op, RewriterBase &rewriter,
                         const PrecisionTypes &types) const {
      if (!types.results[0])
        return success();
      castYieldedValues(rewriter, op, /*index=*/0, types.results[0]);
      return amp::detail::retypeResults(op, types);
    }
  };
};

} // namespace

void mlir::amp::registerTensorModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    // The destinations of insert, insert_slice and scatter keep the elements
    // that are not written: they are inputs.
    attach<ClassModel<PrecisionClass::DataMovement>::Of, tensor::CastOp,
           tensor::CollapseShapeOp, tensor::ConcatOp, tensor::ExpandShapeOp,
           tensor::FromElementsOp, tensor::InsertOp, tensor::InsertSliceOp,
           tensor::ReshapeOp, tensor::ScatterOp, tensor::SplatOp>(context);
    attach<SubsetReadModel, tensor::ExtractOp, tensor::ExtractSliceOp,
           tensor::GatherOp>(context);
    attach<YieldingModel<PrecisionClass::DataMovement>::Of, tensor::PadOp>(
        context);
    attach<YieldingModel<PrecisionClass::Generator>::Of, tensor::GenerateOp>(
        context);
    attach<ClassModel<PrecisionClass::Generator>::Of, tensor::EmptyOp>(context);
    attach<PinnedModel, tensor::BitcastOp, tensor::ParallelInsertSliceOp>(
        context);
    attach<ShapeQueryModel, tensor::DimOp, tensor::RankOp>(context);
  });
}
