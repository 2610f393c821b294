// Wrong names of sets and of their files, at the place that says them.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --amp-decide-precision

// expected-note@+1 {{the set is defined here}}
amp.policy_set @mine device("cpu") extends @torch_cpu {}
func.func @other_device(%a: tensor<4xf32>) {
  // expected-error@+1 {{policy set @mine is for device "cpu", but it is used for "cuda"}}
  amp.autocast device("cuda") dtype(f16) policy(@mine) (%x = %a : tensor<4xf32>) {
    amp.yield
  }
  return
}

// -----

amp.policy_set @mine device("cpu") extends @torch_cpu {}
func.func @misspelled(%a: tensor<4xf32>) {
  // expected-error@+1 {{there is no policy set of this name: @mime; did you mean @mine?}}
  amp.autocast device("cuda") dtype(f16) policy(@mime) (%x = %a : tensor<4xf32>) {
    amp.yield
  }
  return
}

// -----

// expected-error@+1 {{there is no policy set of this name: @torch_cude; did you mean @torch_cuda?}}
amp.policy_set @mine device("cuda") extends @torch_cude {}
func.func @unknown_base(%a: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) policy(@mine) (%x = %a : tensor<4xf32>) {
    amp.yield
  }
  return
}

// -----

// expected-error@+1 {{the built-in policy set @torch_cpu is not for device "cuda"}}
amp.policy_set @mine device("cuda") extends @torch_cpu {}
func.func @base_of_other_device(%a: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) policy(@mine) (%x = %a : tensor<4xf32>) {
    amp.yield
  }
  return
}

// -----

func.func @builtin_of_other_device(%a: tensor<4xf32>) {
  // expected-error@+1 {{the built-in policy set @torch_cuda is not for device "cpu"}}
  amp.autocast device("cpu") dtype(bf16) policy(@torch_cuda) (%x = %a : tensor<4xf32>) {
    amp.yield
  }
  return
}

// -----

func.func @nested_symbol(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected the name of a policy set of the module, but found @a::@b}}
  amp.autocast device("cpu") dtype(bf16) policy(@a::@b) (%x = %a : tensor<4xf32>) {
    amp.yield
  }
  return
}

// -----

func.func @no_lists(%a: tensor<4xf32>) {
  // expected-error@+1 {{there is no built-in policy set for device "hpu"; the devices are}}
  amp.autocast device("hpu") dtype(bf16) (%x = %a : tensor<4xf32>) {
    amp.yield
  }
  return
}

// -----

// A device without lists of its own works with a set that says what it wants.
amp.policy_set @hpu device("hpu") {
  amp.policy "aten.mm" lower_precision_fp
}
func.func @own_device(%a: tensor<4x4xf32>) {
  amp.autocast device("hpu") dtype(bf16) policy(@hpu) (%x = %a : tensor<4x4xf32>) {
    %0 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}

// -----

// Entries for ops that the module does not have, with what it has.
amp.policy_set @base device("cuda") extends @torch_cuda {
  // expected-warning@+1 {{this entry matches no op: the module has no 'aten.sofmax.int', but 'aten.softmax.int'}}
  amp.policy "aten.sofmax.int" lower_precision_fp
}
amp.policy_set @mine device("cuda") extends @base {
  amp.policy "aten.softmax.*" lower_precision_fp
  // expected-warning@+1 {{this entry matches no op: the module has no 'aten.softmax'}}
  amp.policy "aten.softmax" lower_precision_fp
  amp.policy "math.exp" lower_precision_fp
}
// Nobody uses this one.
amp.policy_set @unused device("cuda") {
  amp.policy "aten.nothing" lower_precision_fp
}
func.func @unused_entries(%a: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) policy(@mine) (%x = %a : tensor<4xf32>) {
    %0 = "aten.softmax.int"(%x) {dim = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = math.exp %0 : tensor<4xf32>
    amp.yield
  }
  return
}
