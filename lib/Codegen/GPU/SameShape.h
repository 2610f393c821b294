//===- SameShape.h - which tensors of a kernel have one shape ---*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_SAMESHAPE_H
#define AMP_LIB_CODEGEN_GPU_SAMESHAPE_H

#include "amp/Codegen/GPU/Schedule.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace mlir::amp::gpu {

/// Which dimensions of the tensors of a kernel have the same size, by the ops
/// of its body: dynamic shapes of one rank are not one shape.
class SameShape {
public:
  explicit SameShape(const Kernel &kernel);

  /// Whether `a` and `b` surely have one shape.
  bool operator()(Value a, Value b) const;

private:
  /// A dimension of a tensor, or, with null, a size.
  using Dim = std::pair<const void *, int64_t>;
  void unite(Value a, int64_t dimA, Value b, int64_t dimB);

  llvm::EquivalenceClasses<Dim> classes;
};

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_SAMESHAPE_H
