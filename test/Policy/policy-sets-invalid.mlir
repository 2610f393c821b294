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

// -----

// Names that are no op's, of which the module has none like it: the nearest that
// exists, in torch's tables or a dialect, also one that the module does not use.
// Names of ops that exist are no mistake, whoever uses them.
amp.policy_set @many device("cuda") extends @torch_cuda {
  // expected-warning@+1 {{this entry matches no op: the module has no 'aten.sofmax.int'; did you mean 'aten.softmax.int'?}}
  amp.policy "aten.sofmax.int" fp32
  // expected-warning@+1 {{this entry matches no op: the module has no 'aten.softmax.itn'; did you mean 'aten.softmax.int'?}}
  amp.policy "aten.softmax.itn" fp32
  // expected-warning@+1 {{this entry matches no op: the module has no 'aten.adtan2'; did you mean 'aten.atan2'?}}
  amp.policy "aten.adtan2" fp32
  // expected-warning@+1 {{this entry matches no op: the module has no 'aten.softmux.*'; did you mean 'aten.softmax.*'?}}
  amp.policy "aten.softmux.*" fp32
  // expected-warning@+1 {{this entry matches no op: the module has no 'tosa.argmux'; did you mean 'tosa.argmax'?}}
  amp.policy "tosa.argmux" fp32
  // expected-warning@+1 {{this entry matches no op: the module has no 'mth.exp'; did you mean 'math.exp'?}}
  amp.policy "mth.exp" fp32
  // expected-warning@+1 {{this entry matches no op: the module has no 'my.unheard_of', and amp knows of none}}
  amp.policy "my.unheard_of" fp32
  amp.policy "aten.softmax.int" fp32
  amp.policy "aten.softmax" fp32
  amp.policy "torch.aten.add.Tensor" fp32
  amp.policy "aten.add_.Tensor" fp32
  amp.policy "aten.pow.*" fp32
  amp.policy "aten.mm.out" fp32
  amp.policy "tosa.argmax" fp32
  amp.policy "linalg.matmul" fp32
  amp.policy "onnx.MatMul" fp32
  // expected-warning@+1 {{this rule matches nothing: no op that the rules judge is called 'aten.bnm'; did you mean 'aten.bmm'?}}
  amp.rule exclude op("aten.bnm")
  amp.rule exclude op("aten.bmm")
  amp.rule exclude op("arith.addi")
}
func.func @known_ops(%a: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) policy(@many) (%x = %a : tensor<4xf32>) {
    %0 = "aten.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}
