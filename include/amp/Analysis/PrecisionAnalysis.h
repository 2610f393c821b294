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
#include "llvm/Support/Allocator.h"

#include <deque>

namespace mlir::amp {

struct AtenTypeRule;
class FactsCache;

/// What is decided for one op. The vectors are as in DecisionAttr, with null
/// where that has `none`.
struct PrecisionDecision {
  Policy policy = Policy::keep;
  Reason reason = Reason::outside_scope;
  SmallVector<Type, 3> from;
  SmallVector<Type, 3> to;
  SmallVector<Type, 3> results;
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

/// An op, and what is decided for it.
struct DecidedOp {
  Operation *op;
  PrecisionDecision decision;
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
                             const PrecisionOptions &options = {});
  ~PrecisionAnalysis();

  /// Says where the rules for the scopes of a policy set come from: null for a
  /// set without rules. By default no set has any.
  void setClassifiers(
      std::function<const Classifier *(const PolicySet &)> getClassifier) {
    this->getClassifier = std::move(getClassifier);
  }

  /// Emits an error if `op` is a scope that is not a region in a known state:
  /// an import form, or one under a run-time flag.
  static LogicalResult checkScope(Operation *op);

  /// Analyses all functions under `root`, whose ops pass checkScope. Emits an
  /// error on the op in question for whatever cannot be decided: an unknown
  /// policy set or device, a banned op, an op on buffers.
  LogicalResult run(Operation *root);

  /// The decisions, in program order, of all ops in a scope that have floats,
  /// and of all ops outside whose operands change. They live as long as the
  /// analysis.
  ArrayRef<const DecidedOp *> getDecisions() const { return decisions; }

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
  /// A scope that is open at some point of the program.
  struct Scope {
    StringRef device;
    bool enabled;
    Type dtype;
    const PolicySet *policies;
    /// Null if there are no rules.
    const Classifier *classifier;
    /// The scope around it; null if there is none.
    const Scope *outer;
  };

  /// What is known of a value. Without it, a value has its declared type and no
  /// device.
  struct ValueFacts {
    /// Null while not known.
    Type elementType;
    StringAttr device;
    /// Whether it depends on a call that is not analysed yet.
    bool isUnknown = false;
  };

  /// What visiting an op does.
  enum class OpKind {
    Scope,
    ScopeEnd,
    PinnedRegions,
    Call,
    ControlFlow,
    Return,
    Compute
  };

  struct FunctionState;

  /// An op that was visited, and is visited again when what it takes changes.
  struct VisitedOp : DecidedOp {
    OpKind kind = OpKind::Compute;
    /// The number of its function.
    unsigned function = 0;
    const Scope *scope = nullptr;
    /// Of a call that passes as many arguments as it takes; else null.
    FunctionState *callee = nullptr;
    bool isQueued = false;
    /// Whether its regions are being visited: it is decided after them.
    bool isOpen = false;
    /// Whether its results have types.
    bool isKnown = false;
    bool isDecided = false;
  };

  /// What is known about a function.
  struct FunctionState {
    FunctionOpInterface function;
    bool hasFreeArguments = false;
    bool hasFreeResults = false;
    bool isVisited = false;
    /// The joined types of what is returned; null where not yet known.
    SmallVector<Type> results;
    /// The devices of what is returned; null where not known.
    SmallVector<StringAttr> resultDevices;
    /// The calls of it, and the functions that it calls, as numbers.
    SmallVector<Operation *> calls;
    SmallVector<unsigned> callees;
    SmallVector<Operation *, 1> returns;
    /// In the order in which they were first visited.
    std::vector<VisitedOp *> visited;
    /// Those to be visited again.
    std::vector<VisitedOp *> queue;

    bool isDirty() const { return !isVisited || !queue.empty(); }
  };

  LogicalResult visitFunctions(Operation *root);
  void collectFunctions(Operation *root);
  void collectCalls(ArrayRef<Operation *> calls,
                    SymbolTableCollection &symbols);
  SmallVector<unsigned> getCallersFirst() const;
  LogicalResult visitFunction(unsigned number);
  bool seedUnknown();
  FunctionState *lookupCallee(CallOpInterface call);

  LogicalResult visitRegion(Region &region);
  LogicalResult visitFirst(Operation *op);
  LogicalResult visit(VisitedOp &visited);
  LogicalResult visitRegions(VisitedOp &visited);
  LogicalResult visitScope(VisitedOp &visited, bool isFirst);
  LogicalResult visitPayloadScopes(Operation *op);
  void visitScopeEnd(YieldOp op);
  void visitControlFlow(VisitedOp &visited);
  void visitReturn(VisitedOp &visited);
  LogicalResult visitCall(VisitedOp &visited);
  LogicalResult visitCompute(VisitedOp &visited);
  OpKind getKind(Operation *op) const;

  void queue(Operation *op);
  void queueUsers(Value value);
  void queueForwarders(Value value);
  void forward(ArrayRef<ForwardedOperand> forwarded);
  LogicalResult decide(Operation *op, PrecisionDecision &decision) const;
  LogicalResult decideAten(Operation *op, const AtenTypeRule &rule,
                           StringRef device, Type lower,
                           PrecisionDecision &decision) const;
  void convertBack(Operation *op, PrecisionDecision &decision) const;
  LogicalResult checkOp(Operation *op) const;
  void lookupPolicy(Operation *op, const PolicySet &policies,
                    UnknownOp unknownOp, PrecisionDecision &decision) const;
  void applyRules(Operation *op, const Scope &scope,
                  PrecisionDecision &decision) const;
  bool isIdentity(Operation *op, const PrecisionDecision &decision) const;
  bool hasFloats(Operation *op) const;

  /// The innermost scope for `device`, or the innermost of all if `device` is
  /// empty; null outside.
  const Scope *lookupScope(StringRef device) const;
  /// The device of the operands of an op; null if none has one.
  StringAttr getOperandDevice(Operation *op) const;
  StringAttr getDevice(Value value) const {
    return values.lookup(value).device;
  }

  // All of these tell whether anything has changed, and then queue the users.
  bool setElementType(Value value, Type type);
  bool joinElementType(Value value, Type type);
  bool setDevice(Value value, StringAttr device);
  bool setUnknown(Value value);
  /// Whether `from` is unknown; then it says nothing about `to`.
  bool isUnknown(Value value) const { return values.lookup(value).isUnknown; }

  void record(VisitedOp &visited, PrecisionDecision &&decision);
  PrecisionDecision getPinned(Operation *op, Reason reason) const;

  PolicyLibrary &library;
  PrecisionOptions options;
  std::unique_ptr<FactsCache> facts;
  std::deque<FunctionState> functions;
  DenseMap<Operation *, unsigned> functionNumbers;
  DenseMap<Operation *, unsigned> calleeNumbers;
  DenseMap<Value, ValueFacts> values;
  unsigned numUnknown = 0;
  llvm::SpecificBumpPtrAllocator<VisitedOp> allocator;
  DenseMap<Operation *, VisitedOp *> visitedOps;
  std::vector<const DecidedOp *> decisions;
  std::deque<Scope> scopes;
  /// Of the op that is being visited.
  const Scope *scope = nullptr;
  unsigned function = 0;
  /// False where nobody who takes a value has been visited yet.
  bool hasVisitedUsers = true;
  /// The policy sets of scopes, by name and device.
  DenseMap<std::pair<Attribute, Attribute>, const PolicySet *> policySets;
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
