// consumer MODULE.mlir PIPELINE: a program that embeds amp. It parses a module,
// runs a pipeline over it, and prints what is left.
#include "amp/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  amp::registerAllPasses();
  DialectRegistry registry;
  registry.insert<func::FuncDialect>();
  amp::registerAllDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();

  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  PassManager pm(&context);
  if (!module || failed(parsePassPipeline(argv[2], pm)) ||
      failed(pm.run(*module)))
    return 1;
  module->print(llvm::outs());
}
