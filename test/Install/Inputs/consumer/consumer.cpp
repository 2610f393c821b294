// A program that embeds amp: it loads the dialect, parses a module and prints
// it.
#include "amp/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

int main() {
  DialectRegistry registry;
  amp::registerAllDialects(registry);
  amp::registerAllPasses();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>("module @consumer {}", &context);
  if (!module)
    return 1;
  module->print(llvm::outs());
  llvm::outs() << "\namp loaded: "
               << (context.getLoadedDialect("amp") ? "yes" : "no") << "\n";
}
