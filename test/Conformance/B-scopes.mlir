// Section B: cases in which TorchScript's autocast differs from eager; here all
// are as in eager. A comment quotes the number of each case.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-autocast | FileCheck %s

// Case 57: R(cpu,bf16) {mm(a:f16, b:f32)} => bf16. TorchScript: a dtype error.
// CHECK-LABEL: func.func @case_57
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<2x2xf16>, %[[B:[^:]*]]: tensor<2x2xf32>
// CHECK-DAG:     amp.cast %[[A]] {{.*}} : tensor<2x2xf16> to tensor<2x2xbf16>
// CHECK-DAG:     amp.cast %[[B]] {{.*}} : tensor<2x2xf32> to tensor<2x2xbf16>
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
func.func @case_57(%a: tensor<2x2xf16>, %b: tensor<2x2xf32>) {
  %cfg = amp.config device("cpu") dtype(bf16)
  %t = amp.enter %cfg
  %0 = "aten.mm"(%a, %b) : (tensor<2x2xf16>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return
}

// -----

// Case 58: R(cpu,bf16) {a+b, a*2.0, cat([a,b]), addcmul(a,a,b)} of bf16 => all
// bf16. TorchScript: f32, f32, bf16, f32.
// CHECK-LABEL: func.func @case_58
// CHECK-NOT:     amp.cast
// CHECK:         "aten.add.Tensor"({{.*}}) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
// CHECK:         "aten.mul.Scalar"({{.*}}) {{.*}} : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
// CHECK:         "aten.cat"({{.*}}) {{.*}} : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<4x2xbf16>
// CHECK:         "aten.addcmul"({{.*}}) {{.*}} : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
// CHECK-NOT:     amp.cast
// CHECK:         return
func.func @case_58(%a: tensor<2x2xbf16>, %b: tensor<2x2xbf16>) {
  %cfg = amp.config device("cpu") dtype(bf16)
  %t = amp.enter %cfg
  %0 = "aten.add.Tensor"(%a, %b) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  %1 = "aten.mul.Scalar"(%a) {other = 2.0 : f64} : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
  %2 = "aten.cat"(%a, %b) {dim = 0 : i64} : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<4x2xbf16>
  %3 = "aten.addcmul"(%a, %a, %b) {value = 1.0 : f64} : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  amp.exit %t
  return
}

// -----

// Case 60: R {linear(x, w, b: Optional[Tensor])} => the bias is cast too.
// TorchScript does not.
// CHECK-LABEL: func.func @case_60
// CHECK:         "aten.linear"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>, tensor<2xf16>) -> tensor<2x2xf16>
func.func @case_60(%x: tensor<2x2xf32>, %w: tensor<2x2xf32>, %b: tensor<2xf32>) {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %0 = "aten.linear"(%x, %w, %b) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return
}

// -----

// Case 61: R(cuda, off) in R(cpu,bf16): the cpu stays on. mm of cpu values is
// bf16; exp is not listed for the cpu in eager and stays bf16 (TorchScript: f32).
// CHECK-LABEL: func.func @case_61
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
// CHECK:         "aten.exp"({{.*}}) : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
func.func @case_61(%a: tensor<2x2xbf16> {amp.device = "cpu"}, %b: tensor<2x2xf32> {amp.device = "cpu"}) {
  %cpu = amp.config device("cpu") dtype(bf16)
  %cuda = amp.config device("cuda") dtype(f16) disabled
  %t = amp.enter %cpu
  %u = amp.enter %cuda
  %0 = "aten.mm"(%b, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "aten.exp"(%a) : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
  amp.exit %u
  amp.exit %t
  return
}

// -----

// Case 62: R(xpu,f16) in script => an internal assertion of TorchScript. Here it
// is a device like others.
// CHECK-LABEL: func.func @case_62
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
func.func @case_62(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) {
  %cfg = amp.config device("xpu") dtype(f16)
  %t = amp.enter %cfg
  %0 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return
}

// -----

// Case 63: R(cpu, off) {mm} under ambient R(cpu,bf16) => f32. TorchScript: bf16,
// silently.
// CHECK-LABEL: func.func @case_63
// CHECK-NOT:     amp.cast
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @case_63(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {amp.entry = #amp.entry<device = "cpu", dtype = bf16, state = on>} {
  %cfg = amp.config device("cpu") dtype(bf16) disabled
  %t = amp.enter %cfg
  %0 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return %0 : tensor<2x2xf32>
}

// The same for cuda: eager autocast is on, enabled=False inside.
// CHECK-LABEL: func.func @ambient_on
// CHECK-NOT:     amp.cast
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT:    return
func.func @ambient_on(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {amp.entry = #amp.entry<device = "cuda", dtype = f16, state = on>} {
  %cfg = amp.config device("cuda") dtype(f16) disabled
  %t = amp.enter %cfg
  %0 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return %0 : tensor<2x2xf32>
}

// The same where nobody knows whether eager autocast is on: both versions are
// f32, so there is one, and the flag is not asked.
// CHECK-LABEL: func.func @ambient_unknown
// CHECK-NOT:     scf.if
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT:    return
func.func @ambient_unknown(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {amp.entry = #amp.entry<device = "cuda", dtype = f16, state = unknown>} {
  %cfg = amp.config device("cuda") dtype(f16) disabled
  %t = amp.enter %cfg
  %0 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return %0 : tensor<2x2xf32>
}

// -----

// Case 65: mm called under bf16 and then under f16 => each is rounded once, from
// f32. TorchScript rounds to bf16 and then to f16.
// CHECK-LABEL: func.func @case_65
// CHECK:         call @callee_cuda_bf16({{.*}}) : (tensor<2x2xf32>) -> tensor<2x2xbf16>
// CHECK:         call @callee_cuda_f16({{.*}}) : (tensor<2x2xf32>) -> tensor<2x2xf16>
// CHECK-LABEL: func.func private @callee_cuda_f16
// CHECK:         amp.cast %{{.*}} : tensor<2x2xf32> to tensor<2x2xf16>
// CHECK-NEXT:    {{.*}}"aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK-LABEL: func.func private @callee_cuda_bf16
// CHECK:         amp.cast %{{.*}} : tensor<2x2xf32> to tensor<2x2xbf16>
// CHECK-NEXT:    {{.*}}"aten.mm"({{.*}}) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
func.func @case_65(%a: tensor<2x2xf32>) {
  %bf16 = amp.config device("cuda") dtype(bf16)
  %f16 = amp.config device("cuda") dtype(f16)
  %t = amp.enter %bf16
  %0 = call @callee(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  %u = amp.enter %f16
  %1 = call @callee(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %u
  return
}
func.func @callee(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// Case 66: R{for i in range(n): a=mm(a,b)} => the cast of what is carried around
// is in the body, that of b in front of the loop; what is carried has the join
// of a and mm, f32, so that a loop of no rounds loses nothing.
// CHECK-LABEL: func.func @case_66
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<2x2xf32>, %[[B:[^:]*]]: tensor<2x2xf32>
// CHECK:         %[[LB:.*]] = amp.cast %[[B]] {{.*}} : tensor<2x2xf32> to tensor<2x2xf16>
// CHECK:         scf.for {{.*}} iter_args(%[[IT:.*]] = %[[A]]) -> (tensor<2x2xf32>) {
// CHECK-NOT:       amp.cast %[[B]]
// CHECK:           %[[L:.*]] = amp.cast %[[IT]] {{.*}} : tensor<2x2xf32> to tensor<2x2xf16>
// CHECK:           "aten.mm"(%[[L]], %[[LB]]) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:           scf.yield %{{.*}} : tensor<2x2xf32>
func.func @case_66(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %n: index) -> tensor<2x2xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %r = scf.for %i = %zero to %n step %one iter_args(%it = %a) -> tensor<2x2xf32> {
    %0 = "aten.mm"(%it, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %0 : tensor<2x2xf32>
  }
  amp.exit %t
  return %r : tensor<2x2xf32>
}

// -----

// Case 67: for: {R{a=mm; if i==1: break}}; R{if c: return mm(b,a)}; mm after. The
// region ends on break and on return; mm after it is f32, as its operands are.
// CHECK-LABEL: func.func @case_67
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @case_67(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %c: i1) -> tensor<2x2xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 8 : i32
  %cfg = amp.config device("cuda") dtype(f16)
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^after
^body:
  %t = amp.enter %cfg
  %0 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %is_one = arith.cmpi eq, %i, %one : i32
  cf.cond_br %is_one, ^break, ^next
^break:
  amp.exit %t
  cf.br ^after
^next:
  amp.exit %t
  %j = arith.addi %i, %one : i32
  cf.br ^head(%j : i32)
^after:
  %u = amp.enter %cfg
  cf.cond_br %c, ^early, ^last
^early:
  %1 = "aten.mm"(%b, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %u
  return %1 : tensor<2x2xf32>
^last:
  amp.exit %u
  %2 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// -----

// Case 68: binary_cross_entropy under R(cpu) => f32, as in eager. TorchScript:
// 'Unsafe to autocast'. Case 69: outside of any region, and in R(off) => no error.
// CHECK-LABEL: func.func @case_68
// CHECK:         "aten.binary_cross_entropy"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
// CHECK-LABEL: func.func @case_69
// CHECK:         "aten.binary_cross_entropy"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
// CHECK:         "aten.binary_cross_entropy"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
func.func @case_68(%a: tensor<2x2xbf16>, %b: tensor<2x2xbf16>) {
  %cfg = amp.config device("cpu") dtype(bf16)
  %t = amp.enter %cfg
  %0 = "aten.binary_cross_entropy"(%a, %b) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<bf16>
  amp.exit %t
  return
}
func.func @case_69(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) {
  %1 = "aten.binary_cross_entropy"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
  %cfg = amp.config device("cuda") dtype(f16) disabled
  %t = amp.enter %cfg
  %0 = "aten.binary_cross_entropy"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
  amp.exit %t
  return
}

// -----

// Case 70: an ignored (external) callee in a region keeps its signature: f32.
// CHECK-LABEL: func.func @case_70
// CHECK:         %[[MM:.*]] = "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         %[[W:.*]] = amp.cast %[[MM]] {{.*}} : tensor<2x2xf16> to tensor<2x2xf32>
// CHECK:         call @ignored(%[[W]]) : (tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @case_70(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %0 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = call @ignored(%0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return %1 : tensor<2x2xf32>
}
func.func private @ignored(tensor<2x2xf32>) -> tensor<2x2xf32>

// -----

// Case 71: R{c=mm(a,b); d=mm(c,b); e=exp(d); f=log(e); f+c} => one cast each of
// a and b; d and c get casts to f32; the result is f32.
// CHECK-LABEL: func.func @case_71
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<2x2xf32>, %[[B:[^:]*]]: tensor<2x2xf32>
// CHECK-DAG:     %[[LA:.*]] = amp.cast %[[A]] {{.*}} to tensor<2x2xf16>
// CHECK-DAG:     %[[LB:.*]] = amp.cast %[[B]] {{.*}} to tensor<2x2xf16>
// CHECK:         %[[C:.*]] = "aten.mm"(%[[LA]], %[[LB]]) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         %[[D:.*]] = "aten.mm"(%[[C]], %[[LB]]) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         %[[WD:.*]] = amp.cast %[[D]] {{.*}} : tensor<2x2xf16> to tensor<2x2xf32>
// CHECK:         %[[E:.*]] = "aten.exp"(%[[WD]]) : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         %[[F:.*]] = "aten.log"(%[[E]]) : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         "aten.add.Tensor"(%[[F]], %{{.*}}) : (tensor<2x2xf32>, tensor<2x2x{{f16|f32}}>) -> tensor<2x2xf32>
func.func @case_71(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %c = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %d = "aten.mm"(%c, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %e = "aten.exp"(%d) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %f = "aten.log"(%e) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %g = "aten.add.Tensor"(%f, %c) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return %g : tensor<2x2xf32>
}

// -----

// Case 72: R{gelu(x:f16)} => f16: eager does not list it. TorchScript: f32.
// CHECK-LABEL: func.func @case_72
// CHECK:         "aten.gelu"({{.*}}) : (tensor<2x2xf16>) -> tensor<2x2xf16>
func.func @case_72(%x: tensor<2x2xf16>) {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %0 = "aten.gelu"(%x) : (tensor<2x2xf16>) -> tensor<2x2xf16>
  amp.exit %t
  return
}
