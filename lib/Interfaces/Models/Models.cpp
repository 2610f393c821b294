//===- Models.cpp - interface models for upstream dialects ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Interfaces/Models.h"

using namespace mlir;

void mlir::amp::registerAllModels(DialectRegistry &registry) {
  registerArithModels(registry);
  registerFuncModels(registry);
  registerLinalgModels(registry);
  registerMathModels(registry);
  registerSCFModels(registry);
  registerTensorModels(registry);
  registerTosaModels(registry);
}
