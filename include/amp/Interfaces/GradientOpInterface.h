//===- GradientOpInterface.h - ops that have a gradient ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INTERFACES_GRADIENTOPINTERFACE_H
#define AMP_INTERFACES_GRADIENTOPINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "amp/Interfaces/GradientOpInterface.h.inc"

#endif // AMP_INTERFACES_GRADIENTOPINTERFACE_H
