//===- amp-opt.cpp - the optimizer driver with amp's passes ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#ifdef AMP_INCLUDE_TESTS
namespace mlir::amp::test {
void registerTestPasses();
} // namespace mlir::amp::test
#endif

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::amp::registerAllPasses();
#ifdef AMP_INCLUDE_TESTS
  mlir::amp::test::registerTestPasses();
#endif
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::amp::registerAllDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "amp optimizer driver\n", registry));
}
