//===- PrecisionAnalysis.h - final element types of all values --*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ANALYSIS_PRECISIONANALYSIS_H
#define AMP_ANALYSIS_PRECISIONANALYSIS_H

#include "amp/Analysis/ForwardedOperands.h"
#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Interfaces/PrecisionOpInterface.h"
#include "amp/Policy/Classifier.h"
#include "amp/Policy/PolicyLibrary.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::amp {

struct AtenTypeRule;

/// What is decided for one op. The vectors are as in DecisionAttr, with null
/// where that has `none`.
struct PrecisionDecision {
  Policy policy = Policy::keep;
  Reason reason = Reason::outside_scope;
  SmallVector<Type> from;
  SmallVector<Type> to;
  SmallVector<Type> results;
  Type compute;
  /// The entry of a policy set that decided; null if none did.
  const PolicyEntry *entry = nullptr;
  /// What the rules say, where the op stands under some; owned by the analysis.
  const Verdict *verdict = nullptr;
  /// Whether the op stands in a scope, enabled or not.
  bool inScope = false;

  /// The name of the policy set whose entry or amp.rule decided, and where that
  /// is written. The name is empty if none did (a default, or an option), the
  /// place null for entries of built-in sets.
  std::pair<StringRef, LocationAttr> getSource() const;

  /// The attribute that says the same.
  DecisionAttr getAttr(MLIRContext *context) const;

  /// Whether the decision leaves the op and its operands as they are.
  bool isIdentity(Operation *op) const;
};

/// Which functions may get other types of arguments and results. All calls of
/// such a function change with it.
enum class Signatures {
  /// None: values are cast at every border.
  Fixed,
  /// Private functions of which all uses are calls: types flow through calls as
  /// if these were inlined; where calls differ, the types are joined.
  Private,
  /// Results of public functions too.
  All
};

/// How precision is decided, beyond what the module says.
struct PrecisionOptions {
  /// The functions whose signatures may change.
  Signatures signatures = Signatures::Private;
  /// What happens to ops that nobody knows; by default what the policy set of
  /// the scope says.
  std::optional<UnknownOp> unknownOp;
  /// What torch has an error for is one, where promotion could mend it:
  /// operands of mixed types in an op that takes one, integers in one that
  /// takes floats, and a foreign reduced float in a promotion.
  bool strict = false;
};

/// Finds the final element type of every value of a module: the one it has once
/// autocast is applied. Types flow through branches, loops and scopes, to a
/// fixpoint, before anything is rewritten; where several values meet in one
/// (the branches of an `scf.if`, the rounds of a loop) their types are joined,
/// so that nothing is lost.
///
/// This is no DataFlowSolver analysis: that one leaves ops behind constant
/// conditions undecided, and the results of a scope that preserves types are
/// not the join of what it yields.
class PrecisionAnalysis {
public:
  /// The policy sets of scopes come from `library`, which must outlive the
  /// analysis and its decisions.
  explicit PrecisionAnalysis(PolicyLibrary &library,
                             const PrecisionOptions &options = {})
      : library(library), options(options) {}

  /// Says where the rules for the scopes of a policy set come from: null for a
  /// set without rules. By default no set has any.
  void setClassifiers(
      std::function<const Classifier *(const PolicySet &)> getClassifier) {
    this->getClassifier = std::move(getClassifier);
  }

  /// Emits an error for each scope under `root` that is not a region in a known
  /// state: an import form, or one under a run-time flag.
  static LogicalResult checkScopes(Operation *root);

  /// Analyses all functions under `root`. Emits an error on the op in question
  /// for whatever cannot be decided: a run-time flag, an unknown policy set or
  /// device, a banned op, an op on buffers, an unstructured scope.
  LogicalResult run(Operation *root);

  /// The decisions, in program order, of all ops in a scope that have floats,
  /// and of all ops outside whose operands change.
  const llvm::MapVector<Operation *, PrecisionDecision> &getDecisions() const {
    return decisions;
  }

  /// The final element type of a value as ops take it: that of its floats. A
  /// value that the program says to hold floats, and which finally holds
  /// something else, is converted back, so it gives the type of the program.
  /// Null if it holds no floats.
  Type getElementType(Value value) const;

  /// The final element type of a value, whatever it is; null if it has none.
  Type getFinalElementType(Value value) const;
  /// The type that `function` will have; null where it keeps the one it has.
  FunctionType getSignature(FunctionOpInterface function) const;

private:
  /// What is known about a function whose signature may change.
  struct FunctionState {
    FunctionOpInterface function;
    bool hasFreeArguments = false;
    bool hasFreeResults = false;
    /// The joined types of what is returned; null where not yet known.
    SmallVector<Type> results;
    /// The devices of what is returned; null where not known.
    SmallVector<StringAttr> resultDevices;
    /// The functions that call it, and those that it calls, as numbers.
    SmallVector<unsigned> callers, callees;
    llvm::MapVector<Operation *, PrecisionDecision> decisions;
    bool dirty = true;
  };

  /// A scope that is open at some point of the program.
  struct Scope {
    StringRef device;
    bool enabled;
    Type dtype;
    const PolicySet *policies;
    /// Null if there are no rules.
    const Classifier *classifier;
  };

  LogicalResult visitFunctions(Operation *root);
  LogicalResult visitRegion(Region &region);
  LogicalResult visitOp(Operation *op);
  LogicalResult visitScope(AutocastOp op);
  LogicalResult visitPayloadScopes(Operation *op);
  LogicalResult visitReturn(Operation *op);
  LogicalResult visitCall(CallOpInterface call);
  void collectFunctions(Operation *root);
  SmallVector<unsigned> getCallersFirst() const;
  LogicalResult visitFunction(FunctionState &state);
  bool seedUnknown();
  FunctionState *lookupCallee(CallOpInterface call);
  void joinArgument(FunctionState &callee, unsigned index, Type type);
  bool joinUnknown(Value to, Value from);
  bool hasUnknownOperand(Operation *op) const;
  void setUnknown(Value value);
  void forward(ArrayRef<ForwardedOperand> forwarded);
  LogicalResult visitCompute(Operation *op);
  LogicalResult decide(Operation *op, PrecisionDecision &decision) const;
  LogicalResult decideAten(Operation *op, const AtenTypeRule &rule,
                           StringRef device, Type lower,
                           PrecisionDecision &decision) const;
  void convertBack(Operation *op, PrecisionDecision &decision) const;
  LogicalResult checkOp(Operation *op) const;
  void applyRules(Operation *op, const Scope &scope,
                  PrecisionDecision &decision) const;

  /// The innermost scope for `device`, or the innermost of all if `device` is
  /// empty; null outside.
  const Scope *lookupScope(StringRef device) const;
  /// The device of an op: that of its operands, or of the innermost scope.
  StringRef getDevice(Operation *op) const;
  void setElementType(Value value, Type type);
  void joinElementType(Value value, Type type);
  void setDevice(Value value, StringAttr device);
  void record(Operation *op, PrecisionDecision decision);
  PrecisionDecision getPinned(Operation *op, Reason reason) const;

  PolicyLibrary &library;
  PrecisionOptions options;
  bool changed = false;
  std::vector<FunctionState> functions;
  DenseMap<Operation *, unsigned> functionNumbers;
  DenseMap<Operation *, unsigned> calleeNumbers;
  FunctionState *current = nullptr;
  /// Values of floats that depend on a call that is not analysed yet.
  DenseSet<Value> unknown;
  SmallVector<Scope> scopes;
  /// The policy sets of scopes, by name and device.
  DenseMap<std::pair<Attribute, Attribute>, const PolicySet *> policySets;
  DenseMap<Value, Type> elementTypes;
  DenseMap<Value, StringAttr> devices;
  llvm::MapVector<Operation *, PrecisionDecision> decisions;
  std::function<const Classifier *(const PolicySet &)> getClassifier;
  /// Of each op, which stands in one scope.
  mutable DenseMap<Operation *, std::unique_ptr<Verdict>> verdicts;
};

/// Whether autocast has anything to decide about `op`: it takes or gives
/// floats, and not only their shapes.
bool needsDecision(Operation *op);

/// Whether `op` (null: no) keeps the declared types of what enters and leaves
/// it, its regions included.
bool isPinned(Operation *op);

/// Whether operand number `operand` of `op` is an accumulator that the policy
/// of a contraction or convolution rounds, as torch rounds the bias of addmm:
/// one that is not known to be zero.
bool isRoundedAccumulator(Operation *op, unsigned operand);

/// Whether what leaves `scope` has the types that it has inside. A scope in the
/// payload of an op preserves types whatever it says: the op around it chooses
/// those of its payload.
bool propagatesResults(AutocastOp scope);

/// The function whose entry block's whole work is `scope`, whose results it
/// returns; null if `scope` is not that of a whole function.
FunctionOpInterface getFunctionOfScope(AutocastOp scope);

} // namespace mlir::amp

#endif // AMP_ANALYSIS_PRECISIONANALYSIS_H
