// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-structurize-scopes --verify-diagnostics

// Never closed.
func.func @open(%a: tensor<4xf32>) -> tensor<4xf32> {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-error @below {{[AMP-S001] the scope is never closed}}
  // expected-note @below {{add an amp.exit of its token on each path, in the region of the amp.enter}}
  %t = amp.enter %cfg
  // expected-note @below {{a path ends here with the scope open}}
  return %a : tensor<4xf32>
}

// -----

// Closed twice.
func.func @twice() {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-note @below {{the scope is opened here}}
  %t = amp.enter %cfg
  // expected-note @below {{the scope is closed here}}
  amp.exit %t
  // expected-error @below {{[AMP-S002] the scope that this amp.exit closes is not open here}}
  // expected-note @below {{leave out this amp.exit, or open a scope of the same config for it}}
  amp.exit %t
  return
}

// -----

// Crossing.
func.func @crossing() {
  %on = amp.config device("cuda") dtype(f16)
  %off = amp.config device("cuda") dtype(f16) disabled
  // expected-note @below {{the scope that is closed is opened here}}
  %a = amp.enter %on
  // expected-note @below {{the scope that is still open is opened here}}
  %b = amp.enter %off
  // expected-error @below {{[AMP-S003] scopes cross: this closes a scope while one that was opened later is still open}}
  // expected-note @below {{close scopes in the reverse order of opening}}
  amp.exit %a
  // expected-note @below {{the scope is closed here}}
  amp.exit %b
  return
}

// -----

// Closed on one of two paths that join.
func.func @join(%c: i1) {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-error @below {{[AMP-S004] the scope is open on some of the paths to one point, and not on others}}
  // expected-note @below {{open and close the scope on the same paths, or put the condition into the scope: amp.config takes a run-time flag}}
  %t = amp.enter %cfg
  cf.cond_br %c, ^closes, ^leaves
^closes:
  // expected-note @below {{the scope is closed here}}
  amp.exit %t
  // expected-note @below {{control comes from here without it}}
  cf.br ^end
^leaves:
  // expected-note @below {{control comes from here with the scope open}}
  cf.br ^end
^end:
  // expected-note @below {{this is the point}}
  return
}

// -----

// Closed on one of two paths that end apart.
func.func @ends(%c: i1) {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-error @below {{[AMP-S004] the scope is closed on some paths only}}
  // expected-note @below {{add an amp.exit}}
  %t = amp.enter %cfg
  cf.cond_br %c, ^closes, ^leaves
^closes:
  // expected-note @below {{the scope is closed here}}
  amp.exit %t
  return
^leaves:
  // expected-note @below {{a path ends here with the scope open}}
  return
}

// -----

// A loop that opens once more each round.
func.func @loop(%c: i1) {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-note @below {{control comes from here without it}}
  cf.br ^body
^body:
  // expected-error @below {{[AMP-S004] the scope is open on some of the paths to one point}}
  // expected-note @below {{this is the point}}
  // expected-note @below {{open and close the scope on the same paths}}
  %t = amp.enter %cfg
  // expected-note @below {{control comes from here with the scope open}}
  cf.cond_br %c, ^body, ^end
^end:
  // expected-note @below {{the scope is closed here}}
  amp.exit %t
  return
}

// -----

// Closed in one branch of an scf.if.
func.func @branch(%c: i1) {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-note @below {{the scope is opened here}}
  %t = amp.enter %cfg
  // expected-note @below {{control may pass this op without closing the scope, or close it several times}}
  scf.if %c {
    // expected-error @below {{[AMP-S005] the scope is closed here, inside of 'scf.if', but was opened outside}}
    // expected-note @below {{close the scope behind this op, or open it inside}}
    amp.exit %t
  }
  return
}

// -----

// Opened in a loop and not closed there.
func.func @in_loop(%n: index, %zero: index, %one: index) {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-note @below {{a path ends here with the scope open}}
  scf.for %i = %zero to %n step %one {
    // expected-error @below {{[AMP-S001] the scope is never closed}}
    // expected-note @below {{add an amp.exit}}
    %t = amp.enter %cfg
  }
  return
}

// -----

// A config that comes from outside.
// expected-note @below {{the config comes from here}}
func.func @argument(%cfg: !amp.config) {
  // expected-error @below {{[AMP-S006] the config of this scope is not known: it comes from a block argument}}
  // expected-note @below {{enter the result of an amp.config, or of an arith.select, scf.if or scf.index_switch of some of them}}
  %t = amp.enter %cfg
  amp.exit %t
  return
}

// -----

// A dtype chosen at run time is never dropped.
func.func @dtype(%c: i1) {
  // expected-note @below {{one choice is here}}
  %f16 = amp.config device("cuda") dtype(f16)
  // expected-note @below {{one choice is here}}
  %bf16 = amp.config device("cuda") dtype(bf16)
  %cfg = arith.select %c, %f16, %bf16 : !amp.config
  // expected-error @below {{[AMP-S007] the dtype of this scope is chosen at run time}}
  // expected-note @below {{branch on the condition, and open a scope of one dtype in each branch}}
  %t = amp.enter %cfg
  amp.exit %t
  return
}

// -----

// Nor is a device.
func.func @device(%c: i1) {
  // expected-note @below {{one choice is here}}
  %cuda = amp.config device("cuda") dtype(f16)
  // expected-note @below {{one choice is here}}
  %cpu = amp.config device("cpu") dtype(f16)
  %cfg = arith.select %c, %cuda, %cpu : !amp.config
  // expected-error @below {{[AMP-S008] the device of this scope is chosen at run time}}
  // expected-note @below {{branch on the condition, and open a scope of one device in each branch}}
  %t = amp.enter %cfg
  amp.exit %t
  return
}

// -----

// A token that leaves the function.
func.func @token() -> !amp.token {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-error @below {{[AMP-S009] the token of this scope is passed on, so nobody knows where the scope ends}}
  // expected-note @below {{close the scope by amp.exit, where it was opened}}
  %t = amp.enter %cfg
  // expected-note @below {{'func.return' takes the token}}
  return %t : !amp.token
}

// -----

// A token that comes in.
// expected-note @below {{the token comes from here}}
func.func @close(%t: !amp.token) {
  // expected-error @below {{[AMP-S009] the token of this amp.exit does not come from an amp.enter}}
  // expected-note @below {{close each scope where it was opened, by the token of its amp.enter}}
  amp.exit %t
  return
}

// -----

// Control flow that upstream's lifting does not know.
// expected-error @below {{[AMP-S010] a scope needs structured control flow, but that of this function cannot be lifted}}
// expected-note @below {{branch by cf.br, cf.cond_br or cf.switch only, and end all paths alike}}
func.func @control_flow(%a: tensor<4xf32>) -> tensor<4xf32>
    attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16>, no_inline} {
  // expected-error @below {{transformation does not support terminators with successors not implementing BranchOpInterface}}
  "test.branch"() [^one, ^two] : () -> ()
^one:
  return %a : tensor<4xf32>
^two:
  return %a : tensor<4xf32>
}

// -----

// The entry state of a function that nobody outside can call.
// expected-warning @below {{[AMP-S023] the entry state of 'inner' has no use: only calls from outside of the module enter with it, and the function is private}}
// expected-note @below {{leave out 'amp.entry', or make the function public}}
func.func private @inner(%a: tensor<4xf32>) -> tensor<4xf32>
    attributes {amp.entry = #amp.entry<device = "cuda", dtype = f16, state = on>} {
  return %a : tensor<4xf32>
}

// -----

// A query that is none.
// expected-error @below {{[AMP-S024] the query of the entry state must be a function of type '() -> i1', but @query is not}}
func.func @asks(%a: tensor<4xf32>) -> tensor<4xf32>
    attributes {amp.entry = #amp.entry<device = "cuda", dtype = f16, state = unknown, query = @query>} {
  return %a : tensor<4xf32>
}
// expected-note @below {{this is what it names}}
func.func private @query() -> i32

// -----

// The new argument would change the type of an address.
// expected-error @below {{[AMP-S026] an unknown entry state gives 'target' one more argument, but its address is taken}}
// expected-note @below {{give the entry state a 'query' to call instead of an argument}}
func.func @target(%a: tensor<4xf32>) -> tensor<4xf32>
    attributes {amp.entry = #amp.entry<device = "cuda", dtype = f16, state = unknown>} {
  return %a : tensor<4xf32>
}
func.func @address() -> ((tensor<4xf32>) -> tensor<4xf32>) {
  // expected-note @below {{the address is taken here}}
  %f = constant @target : (tensor<4xf32>) -> tensor<4xf32>
  return %f : (tensor<4xf32>) -> tensor<4xf32>
}

// -----

// Closed in some cases of a switch.
func.func @some_cases(%i: index) {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-note @below {{the scope is opened here}}
  %t = amp.enter %cfg
  // expected-note @below {{control may pass this op without closing the scope, or close it several times}}
  scf.index_switch %i
  case 1 {
    // expected-error @below {{[AMP-S005] the scope is closed here, inside of 'scf.index_switch', but was opened outside}}
    // expected-note @below {{close the scope behind this op, or open it inside}}
    amp.exit %t
    scf.yield
  }
  default {
  }
  return
}

// -----

// Closed in another order in each branch.
func.func @order_of_branches(%c: i1) {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-note @below {{the scope is opened here}}
  %t = amp.enter %cfg
  %u = amp.enter %cfg
  // expected-note @below {{control may pass this op without closing the scope, or close it several times}}
  scf.if %c {
    // expected-error @below {{[AMP-S005] the scope is closed here, inside of 'scf.if', but was opened outside}}
    // expected-note @below {{close the scope behind this op, or open it inside}}
    amp.exit %t
    amp.exit %u
  } else {
    amp.exit %u
    amp.exit %t
  }
  return
}

// -----

// A scope of a branch that crosses the one that the branches close.
func.func @crossing_branches(%c: i1) {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-note @below {{the scope is opened here}}
  %t = amp.enter %cfg
  // expected-note @below {{control may pass this op without closing the scope, or close it several times}}
  scf.if %c {
    %u = amp.enter %cfg
    // expected-error @below {{[AMP-S005] the scope is closed here, inside of 'scf.if', but was opened outside}}
    // expected-note @below {{close the scope behind this op, or open it inside}}
    amp.exit %t
    amp.exit %u
  } else {
    amp.exit %t
  }
  return
}

// -----

// Closed in the body of a loop.
func.func @closed_in_loop(%n: index, %zero: index, %one: index) {
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-note @below {{the scope is opened here}}
  %t = amp.enter %cfg
  // expected-note @below {{control may pass this op without closing the scope, or close it several times}}
  scf.for %i = %zero to %n step %one {
    // expected-error @below {{[AMP-S005] the scope is closed here, inside of 'scf.for', but was opened outside}}
    // expected-note @below {{close the scope behind this op, or open it inside}}
    amp.exit %t
  }
  return
}

// -----

// Opened in both branches, with two dtypes.
func.func @two_dtypes(%c: i1) {
  // expected-note @below {{one choice is here}}
  %f16 = amp.config device("cuda") dtype(f16)
  // expected-note @below {{one choice is here}}
  %bf16 = amp.config device("cuda") dtype(bf16)
  %t = scf.if %c -> !amp.token {
    // expected-error @below {{[AMP-S007] the dtype of this scope is chosen at run time}}
    // expected-note @below {{branch on the condition, and open a scope of one dtype in each branch}}
    %t = amp.enter %f16
    scf.yield %t : !amp.token
  } else {
    %t = amp.enter %bf16
    scf.yield %t : !amp.token
  }
  amp.exit %t
  return
}

// -----

// Opened in one branch only: the other gives the token of another scope.
func.func @one_branch(%c: i1) {
  %cfg = amp.config device("cuda") dtype(f16)
  %outer = amp.enter %cfg
  %t = scf.if %c -> !amp.token {
    // expected-error @below {{[AMP-S009] the token of this scope is passed on, so nobody knows where the scope ends}}
    // expected-note @below {{close the scope by amp.exit, where it was opened}}
    %t = amp.enter %cfg
    // expected-note @below {{'scf.yield' takes the token}}
    scf.yield %t : !amp.token
  } else {
    scf.yield %outer : !amp.token
  }
  amp.exit %t
  return
}
