//===- GradientOpInterface.cpp - ops that have a gradient -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Interfaces/GradientOpInterface.h"

#include "amp/Interfaces/GradientOpInterface.cpp.inc"
