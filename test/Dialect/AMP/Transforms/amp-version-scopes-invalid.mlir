// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-version-scopes=limit=4 --verify-diagnostics
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-version-scopes=limit=8
// RUN: not amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-version-scopes=limit=0 2>&1 | FileCheck %s
// CHECK: error: [AMP-O001] amp-version-scopes: option 'limit' is 0, but expected at least 1

// Three flags inside of each other.
func.func @flags(%a: tensor<4xf32>, %f: i1, %g: i1, %h: i1) {
  // expected-note @below {{a scope around it has a flag of its own}}
  amp.autocast device("cuda") dtype(f16) if %f (%x = %a : tensor<4xf32>, %gi = %g : i1, %hi = %h : i1) {
    "first"(%x) : (tensor<4xf32>) -> ()
    // expected-note @below {{a scope around it has a flag of its own}}
    amp.autocast device("cuda") dtype(f16) if %gi (%y = %x : tensor<4xf32>, %hj = %hi : i1) {
      "second"(%y) : (tensor<4xf32>) -> ()
      // expected-error @below {{[AMP-S020] this scope would need 8 versions, but the limit is 4}}
      // expected-note @below {{give scopes inside of each other one flag, put this scope into a function without one, or raise amp-version-scopes{limit=8}}}
      amp.autocast device("cuda") dtype(f16) if %hj (%z = %y : tensor<4xf32>) {
        "third"(%z) : (tensor<4xf32>) -> ()
        amp.yield
      }
      amp.yield
    }
    amp.yield
  }
  return
}

// -----

// Flags one after the other do not multiply.
func.func @sequence(%a: tensor<4xf32>, %f: i1, %g: i1, %h: i1) {
  amp.autocast device("cuda") dtype(f16) if %f (%x = %a : tensor<4xf32>) {
    "first"(%x) : (tensor<4xf32>) -> ()
    amp.yield
  }
  amp.autocast device("cuda") dtype(f16) if %g (%x = %a : tensor<4xf32>) {
    "second"(%x) : (tensor<4xf32>) -> ()
    amp.yield
  }
  amp.autocast device("cuda") dtype(f16) if %h (%x = %a : tensor<4xf32>) {
    "third"(%x) : (tensor<4xf32>) -> ()
    amp.yield
  }
  return
}
