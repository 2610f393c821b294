// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

amp.policy_set @unknown_policy device("cuda") {
  // expected-error@+1 {{unknown policy 'fp23'; did you mean 'fp32'?}}
  amp.policy "aten.mm" fp23
}

// -----

amp.policy_set @unknown_policy device("cuda") {
  // expected-error@+1 {{unknown policy 'half'; expected one of lower_precision_fp, fp32, fp32_set_opt_dtype, fp32_append_dtype, promote, banned, fallthrough, follow, keep}}
  amp.policy "aten.mm" half
}

// -----

amp.policy_set @no_policy device("cuda") {
  // expected-error@+1 {{expected a policy, such as fp32}}
  amp.policy "aten.mm" 32
}

// -----

amp.policy_set @no_name device("cuda") {
  // expected-error@+1 {{expected the name of an op in quotes, or class("name")}}
  amp.policy fp32
}

// -----

amp.policy_set @duplicate device("cuda") {
  // expected-note@+1 {{the earlier entry says fp32}}
  amp.policy "aten.exp" fp32
  amp.policy "aten.log" fp32
  // expected-error@+1 {{repeats the entry for 'aten.exp': this one says fp32; remove one of the two}}
  amp.policy "torch.aten.exp.default" fp32
}

// -----

amp.policy_set @contradiction device("cuda") {
  // expected-note@+1 {{the earlier entry says fp32}}
  amp.policy "aten.exp" fp32
  // expected-error@+1 {{contradicts the entry for 'aten.exp': this one says lower_precision_fp; remove one of the two}}
  amp.policy "aten.exp" lower_precision_fp
}

// -----

amp.policy_set @contradiction device("cuda") {
  // expected-note@+1 {{the earlier entry says fp32}}
  amp.policy class("reduction") fp32
  // expected-error@+1 {{contradicts the entry for 'class reduction'}}
  amp.policy class("reduction") keep
}

// -----

amp.policy_set @class device("cuda") {
  // expected-error@+1 {{there is no class 'reductions'; did you mean 'reduction'?}}
  amp.policy class("reductions") fp32
}

// -----

amp.policy_set @class device("cuda") {
  // expected-error@+1 {{there is no class 'cast'; expected one of contraction, convolution, pooling, elementwise, reduction, selection, normalization, data_movement}}
  amp.policy class("cast") fp32
}

// -----

amp.policy_set @spelling device("cuda") {
  // expected-error@+1 {{'aten::mm' is not spelled as an op; write "aten.mm"}}
  amp.policy "aten::mm" fp32
}

// -----

amp.policy_set @spelling device("cuda") {
  // expected-error@+1 {{'mm' is no op name; expected the dialect and the op}}
  amp.policy "mm" fp32
}

// -----

amp.policy_set @spelling device("cuda") {
  // expected-error@+1 {{'aten.*.int' has '*' in the middle; only ".*" at the end, for every overload, is a pattern}}
  amp.policy "aten.*.int" fp32
}

// -----

amp.policy_set @spelling device("cuda") {
  // expected-error@+1 {{'' is no op name}}
  amp.policy "" fp32
}

// -----

amp.policy_set @both device("cuda") {
  // expected-error@+1 {{expected either the name of an op or a class}}
  "amp.policy"() <{op_name = "aten.mm", op_class = "reduction", policy = 1 : i32}> : () -> ()
}

// -----

// expected-error@+1 {{expected a device, such as "cuda" or "cpu"}}
amp.policy_set @no_device device("") {}

// -----

// expected-error@+1 {{expected 'device'}}
amp.policy_set @no_device {}

// -----

// expected-error@+1 {{expected unknown_op(keep), unknown_op(error) or unknown_op(follow), but found 'warn'}}
amp.policy_set @mode device("cuda") unknown_op(warn) {}

// -----

amp.policy_set @members device("cuda") {
  // expected-error@+1 {{is in a policy set, which holds only amp.policy and amp.rule}}
  "test.op"() : () -> ()
}

// -----

// expected-error@+1 {{expects parent op 'amp.policy_set'}}
amp.policy "aten.mm" fp32

// -----

amp.policy_set @rules device("cuda") {
  // expected-error@+1 {{matches every op; expected a matcher, such as name("^head") or op("aten.mm")}}
  amp.rule exclude
}

// -----

amp.policy_set @rules device("cuda") {
  // expected-error@+1 {{name("conv(") is no regular expression: parentheses not balanced}}
  amp.rule exclude name("conv(")
}

// -----

amp.policy_set @rules device("cuda") {
  // expected-error@+1 {{'aten.*' is no op name}}
  amp.rule exclude op("aten.*")
}

// -----

amp.policy_set @rules device("cuda") {
  // expected-note@+1 {{the earlier rule says exclude}}
  amp.rule exclude name("^head") depth(16)
  amp.rule exclude name("^head")
  // expected-error@+1 {{[AMP-P004] 'amp.rule' op repeats a rule with the same matchers; remove one of the two}}
  amp.rule exclude depth(16) name("^head")
}

// -----

amp.policy_set @rules device("cuda") {
  // expected-note@+1 {{the earlier rule says include}}
  amp.rule include op("aten.mm")
  // expected-error@+1 {{[AMP-P004] 'amp.rule' op contradicts a rule with the same matchers; remove one of the two}}
  amp.rule exclude op("aten.mm")
}

// -----

// A rule for an op and an entry for it: the entry has no meaning, unless they
// agree, or the rule asks for more.
amp.policy_set @agree device("cuda") {
  amp.policy "aten.mm" fp32
  amp.rule exclude op("torch.aten.mm.default")
  amp.policy "aten.bmm" lower_precision_fp
  amp.rule exclude op("aten.bmm") depth(16)
}
amp.policy_set @contradict device("cuda") {
  // expected-note@+1 {{the entry says lower_precision_fp}}
  amp.policy "aten.mm" lower_precision_fp
  // expected-error@+1 {{[AMP-P004] 'amp.rule' op contradicts the entry for 'aten.mm': rules go before entries, so that the entry has no meaning; remove one of the two}}
  amp.rule exclude op("torch.aten.mm.default")
}

// -----

amp.policy_set @rules device("cuda") {
  // expected-error@+1 {{[AMP-R001] 'amp.rule' op name("h{,3}") is no regular expression: '{,' has no meaning in POSIX extended regular expressions: write the least number, as in {0,3}}}
  amp.rule exclude name("h{,3}")
}

// -----

amp.policy_set @rules device("cuda") {
  amp.rule exclude name("h[{,]x{0,3}")
}

// -----

// expected-error@+1 {{extends itself, through @self}}
amp.policy_set @self device("cuda") extends @self {} // expected-note {{this set extends @self}}

// -----

// expected-error@+1 {{extends itself, through @a}}
amp.policy_set @b device("cuda") extends @a {}
// expected-note@+1 {{this set extends @b}}
amp.policy_set @a device("cuda") extends @b {}

// -----

// expected-note@+1 {{@f is defined here}}
func.func private @f()
// expected-error@+1 {{extends @f, which is no policy set but a 'func.func'}}
amp.policy_set @s device("cuda") extends @f {}

// -----

// expected-note@+1 {{@base is defined here}}
amp.policy_set @base device("cpu") {}
// expected-error@+1 {{is for device "cuda", but extends @base, which is for "cpu"}}
amp.policy_set @s device("cuda") extends @base {}

// -----

func.func @attribute(%a: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'amp.policy' must be a policy, such as #amp.policy<fp32>, but found "fp32"}}
  "test.op"(%a) {amp.policy = "fp32"} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @attribute(%a: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'amp.name' must be a non-empty string, but found 3 : i64}}
  "test.op"(%a) {amp.name = 3} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @attribute(%a: tensor<4xf32>) {
  // expected-error@+2 {{expected one of [lower_precision_fp, fp32, fp32_set_opt_dtype, fp32_append_dtype, promote, banned, fallthrough, follow, keep]}}
  // expected-error@+1 {{failed to parse AMP_PolicyAttr parameter 'value'}}
  "test.op"(%a) {amp.policy = #amp.policy<half>} : (tensor<4xf32>) -> ()
  return
}
