//===- UnstructuredScopes.cpp - checks of enter and exit ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnstructuredScopes.h"

#include "amp/Dialect/AMP/IR/Diagnostics.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
/// The open scopes, outermost first.
using OpenScopes = SmallVector<EnterOp, 4>;

/// What holds at the start of a block, and the terminator it was seen from.
struct BlockState {
  OpenScopes open;
  Operation *from = nullptr;
};

class PairChecker {
public:
  PairChecker(Region &region, SmallVectorImpl<EnterOp> &enters)
      : region(region), enters(enters) {}

  LogicalResult run();

private:
  LogicalResult visitBlock(Block *block);
  LogicalResult visitEnter(EnterOp enter);
  LogicalResult visitExit(ExitOp exit, OpenScopes &open);
  LogicalResult visitEnd(Operation *terminator, const OpenScopes &open);
  LogicalResult refuseJoin(Block *block, const OpenScopes &open,
                           Operation *terminator);

  Region &region;
  SmallVectorImpl<EnterOp> &enters;
  llvm::MapVector<Block *, BlockState> states;
};
} // namespace

static void noteExits(InFlightDiagnostic &diag, EnterOp enter) {
  for (Operation *user : enter.getToken().getUsers())
    if (isa<ExitOp>(user))
      attachNote(diag, user) << "the scope is closed here";
}

LogicalResult PairChecker::run() {
  states[&region.front()] = {};
  // A block is visited once: a second way to it must bring the same scopes.
  for (size_t index = 0; index != states.size(); ++index)
    if (failed(visitBlock(states.begin()[index].first)))
      return failure();
  return success();
}

LogicalResult PairChecker::visitEnter(EnterOp enter) {
  enters.push_back(enter);
  for (Operation *user : enter.getToken().getUsers()) {
    if (isa<ExitOp>(user))
      continue;
    InFlightDiagnostic diag = emitError(enter, DiagnosticId::S009)
                              << "the token of this scope is passed on, so "
                                 "nobody knows where the scope ends";
    attachNote(diag, user) << "'" << user->getName() << "' takes the token";
    attachNote(diag, enter)
        << "close the scope by amp.exit, where it was opened";
    return diag;
  }
  return success();
}

LogicalResult PairChecker::visitBlock(Block *block) {
  OpenScopes open = states[block].open;
  for (Operation &op : *block) {
    if (auto enter = dyn_cast<EnterOp>(op)) {
      if (failed(visitEnter(enter)))
        return failure();
      open.push_back(enter);
    } else if (auto exit = dyn_cast<ExitOp>(op)) {

      if (failed(visitExit(exit, open)))
        return failure();
    }
  }
  Operation *last = &block->back();
  if (block->getNumSuccessors() == 0)
    return visitEnd(last, open);
  for (Block *successor : block->getSuccessors()) {
    auto [it, inserted] = states.insert({successor, {open, last}});
    if (!inserted && it->second.open != open)
      return refuseJoin(successor, open, last);
  }
  return success();
}

LogicalResult PairChecker::visitExit(ExitOp exit, OpenScopes &open) {
  auto enter = exit.getToken().getDefiningOp<EnterOp>();
  if (!enter) {
    InFlightDiagnostic diag = emitError(exit, DiagnosticId::S009)
                              << "the token of this amp.exit does not come "
                                 "from an amp.enter";
    diag.attachNote(getSourceLocation(exit.getToken().getLoc()))
        << "the token comes from here";
    attachNote(diag, exit) << "close each scope where it was opened, by the "
                              "token of its amp.enter";
    return diag;
  }
  if (enter->getParentRegion() != &region) {
    InFlightDiagnostic diag = emitError(exit, DiagnosticId::S005)
                              << "the scope is closed here, inside of '"
                              << region.getParentOp()->getName()
                              << "', but was opened outside";
    attachNote(diag, enter) << "the scope is opened here";
    attachNote(diag, region.getParentOp())
        << "control may pass this op without closing the scope, or close it "
           "several times";
    attachNote(diag, exit) << "close the scope behind this op, or open it "
                              "inside";
    return diag;
  }
  auto *found = llvm::find(open, enter);
  if (found == open.end()) {
    InFlightDiagnostic diag = emitError(exit, DiagnosticId::S002)
                              << "the scope that this amp.exit closes is not "
                                 "open here";
    attachNote(diag, enter) << "the scope is opened here";
    for (Operation *user : enter.getToken().getUsers())
      if (user != exit)
        attachNote(diag, user) << "the scope is closed here";
    if (Operation *from = states[exit->getBlock()].from)
      attachNote(diag, from) << "control comes from here without the scope";
    attachNote(diag, exit) << "leave out this amp.exit, or open a scope of the "
                              "same config for it";
    return diag;
  }
  if (found != std::prev(open.end())) {
    InFlightDiagnostic diag = emitError(exit, DiagnosticId::S003)
                              << "scopes cross: this closes a scope while one "
                                 "that was opened later is still open";
    attachNote(diag, enter) << "the scope that is closed is opened here";
    attachNote(diag, open.back()) << "the scope that is still open is opened "
                                     "here";
    noteExits(diag, open.back());
    attachNote(diag, exit) << "close scopes in the reverse order of opening";
    return diag;
  }
  open.pop_back();
  return success();
}

LogicalResult PairChecker::visitEnd(Operation *terminator,
                                    const OpenScopes &open) {
  if (open.empty())
    return success();
  EnterOp enter = open.back();
  bool isClosedInside = false, isClosedElsewhere = false;
  for (Operation *user : enter.getToken().getUsers()) {
    isClosedInside |= user->getParentRegion() != &region;
    isClosedElsewhere |= user->getParentRegion() == &region;
  }
  DiagnosticId id = isClosedInside      ? DiagnosticId::S005
                    : isClosedElsewhere ? DiagnosticId::S004
                                        : DiagnosticId::S001;
  InFlightDiagnostic diag = emitError(enter, id);
  if (id == DiagnosticId::S005)
    diag << "the scope is closed in a region inside of the one that opens it";
  else if (id == DiagnosticId::S004)
    diag << "the scope is closed on some paths only";
  else
    diag << "the scope is never closed";
  noteExits(diag, enter);
  attachNote(diag, terminator) << "a path ends here with the scope open";
  attachNote(diag, enter) << "add an amp.exit of its token on each path, in "
                             "the region of the amp.enter";
  return diag;
}

LogicalResult PairChecker::refuseJoin(Block *block, const OpenScopes &open,
                                      Operation *terminator) {
  const BlockState &state = states[block];
  // The first scope that only one of the ways has open.
  size_t common = 0;
  while (common < open.size() && common < state.open.size() &&
         open[common] == state.open[common])
    ++common;
  bool isOpenHere = common < open.size();
  EnterOp enter = isOpenHere ? open[common] : state.open[common];
  Operation *with = isOpenHere ? terminator : state.from;
  Operation *without = isOpenHere ? state.from : terminator;
  InFlightDiagnostic diag = emitError(enter, DiagnosticId::S004)
                            << "the scope is open on some of the paths to one "
                               "point, and not on others";
  noteExits(diag, enter);
  attachNote(diag, &block->front()) << "this is the point";
  if (with)
    attachNote(diag, with) << "control comes from here with the scope open";
  if (without)
    attachNote(diag, without) << "control comes from here without it";
  attachNote(diag, enter)
      << "open and close the scope on the same paths, or put the condition "
         "into the scope: amp.config takes a run-time flag";
  return diag;
}

LogicalResult mlir::amp::checkPairs(Region &region,
                                    SmallVectorImpl<EnterOp> &enters) {
  return PairChecker(region, enters).run();
}
