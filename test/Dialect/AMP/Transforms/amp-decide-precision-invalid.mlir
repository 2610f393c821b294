// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --verify-diagnostics

// The scope depends on run time.
func.func @runtime_flag(%a: tensor<4xf32>, %on: i1) -> tensor<4xf32> {
  // expected-error @below {{[AMP-S021] the scope is under a run-time flag, so its ops have no one precision: run amp-version-scopes before precision is decided}}
  // expected-note @below {{or make the flag a constant}}
  %0 = amp.autocast device("cuda") dtype(f16) if %on (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    %1 = math.exp %x : tensor<4xf32>
    amp.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A device without a policy set.
func.func @unknown_device(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{there is no built-in policy set for device "tpu"; the devices are cuda, cpu}}
  %0 = amp.autocast device("tpu") dtype(f16) (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    amp.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A policy set that does not exist.
func.func @unknown_policy(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{there is no policy set of this name: @mine; the policy sets are @torch_cuda, @torch_cpu}}
  %0 = amp.autocast device("cuda") dtype(f16) policy(@mine) (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    amp.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A symbol that is something else.
// expected-note @below {{defined here}}
func.func @other_symbol(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{this symbol is no policy set but a 'func.func': @other_symbol}}
  %0 = amp.autocast device("cuda") dtype(f16) policy(@other_symbol) (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    amp.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// An op on buffers.
func.func @buffers(%a: memref<4xf32>) -> f32 {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : memref<4xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    // expected-error @below {{'memref.load' works on buffers inside a scope, but autocast works on tensors: bufferize after amp-apply-precision}}
    %1 = memref.load %x[%c0] : memref<4xf32>
    amp.yield %1 : f32
  }
  return %0 : f32
}

// -----

// A banned op, only where the scope is enabled for its device.
func.func @banned(%a: tensor<4xf32>, %b: tensor<4xf32> {amp.device = "cpu"}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf32>, %y = %b : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    // expected-error @below {{'aten.binary_cross_entropy' is banned under autocast: torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.}}
    %1 = "aten.binary_cross_entropy"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = "aten.binary_cross_entropy"(%y, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield %1, %2 : tensor<4xf32>, tensor<4xf32>
  }
  %3 = amp.autocast device("cuda") dtype(f16) disabled (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    %4 = "aten.binary_cross_entropy"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield %4 : tensor<4xf32>
  }
  return %0#0, %0#1, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Unstructured scopes.
func.func @unstructured(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{[AMP-S011] 'amp.config' is an import form of a scope: run amp-structurize-scopes and amp-specialize-scopes before precision is decided}}
  %cfg = amp.config device("cuda") dtype(f16)
  // expected-error @below {{[AMP-S011] 'amp.enter' is an import form of a scope}}
  %t = amp.enter %cfg
  %0 = math.exp %a : tensor<4xf32>
  // expected-error @below {{[AMP-S011] 'amp.exit' is an import form of a scope}}
  amp.exit %t
  // expected-error @below {{[AMP-S011] 'amp.is_enabled' is an import form of a scope}}
  %on = amp.is_enabled device("cuda")
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{[AMP-S011] attribute 'amp.autocast' is an import form of a scope: run amp-structurize-scopes before precision is decided}}
func.func @decorated(%a: tensor<4xf32>) -> tensor<4xf32>
    attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16>, no_inline} {
  return %a : tensor<4xf32>
}

// -----

// A tensor of unknown rank, which amp.cast does not take.
func.func @unranked(%a: tensor<*xf32>) -> tensor<*xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<*xf32>) -> tensor<*xf32> {
    // expected-error @below {{'aten.relu' works on 'tensor<*xf32>' inside a scope, but autocast works on tensors of known rank: infer the shapes first}}
    %1 = "aten.relu"(%x) : (tensor<*xf32>) -> tensor<*xf32>
    amp.yield %1 : tensor<*xf32>
  }
  return %0 : tensor<*xf32>
}
