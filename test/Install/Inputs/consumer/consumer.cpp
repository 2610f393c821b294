// consumer MODULE.mlir PIPELINE: a program that embeds amp. It parses a module,
// runs passes of upstream and of amp over it, and prints what is left.
#include "amp/InitAll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  registerTransformsPasses();
  amp::registerAllPasses();
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect>();
  amp::registerAllDialects(registry);
  MLIRContext context(registry);

  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  PassManager pm(&context);
  if (!module || failed(parsePassPipeline(argv[2], pm)) ||
      failed(pm.run(*module)))
    return 1;
  module->print(llvm::outs());
}
