//===- amp-plugin.cpp - amp as a plugin of other MLIR tools ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tool that loads this must link libMLIR.so dynamically, as the packages'
// mlir-opt does: with a second, static copy of MLIR the registrations below
// would go into the wrong registry. Flags of plugin passes are unknown to the
// tool's command line; pipelines go through --pass-pipeline.
//
//===----------------------------------------------------------------------===//

#include "amp/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

/// Entry point for --load-dialect-plugin: amp's dialect and external models.
extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {
      MLIR_PLUGIN_API_VERSION, "AMP", LLVM_VERSION_STRING,
      [](DialectRegistry *registry) { amp::registerAllDialects(*registry); }};
}

/// Entry point for --load-pass-plugin: amp's passes and pipelines.
extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "AMP", LLVM_VERSION_STRING,
          []() { amp::registerAllPasses(); }};
}
