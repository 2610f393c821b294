//===- AMPAttentionOps.h - attention as one op ------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPATTENTIONOPS_H
#define AMP_DIALECT_AMP_IR_AMPATTENTIONOPS_H

#include "amp/Dialect/AMP/IR/AMP.h"

#define GET_OP_CLASSES
#include "amp/Dialect/AMP/IR/AMPAttentionOps.h.inc"

#endif // AMP_DIALECT_AMP_IR_AMPATTENTIONOPS_H
