// Autocast over whole functions.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast='scope=function dtype=f16 device=cuda' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,PRESERVE
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast='scope=function dtype=f16 device=cuda results=propagate' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,PROPAGATE
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast='scope=function device=cpu' \
// RUN:   | FileCheck %s --check-prefix=CPU
//
// Wrapping happens once.
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision=scope=function > %t.once
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision=scope=function --amp-decide-precision=scope=function > %t.twice
// RUN: diff %t.once %t.twice

// A function that nobody calls gets a new result type under propagate.
// PRESERVE-LABEL:  func.func @entry(%{{.*}}: tensor<4x4xf32>) -> tensor<4x4xf32>
// PROPAGATE-LABEL: func.func @entry(%{{.*}}: tensor<4x4xf32>) -> tensor<4x4xf16>
// CPU-LABEL:       func.func @entry
// CHECK:           %[[MM:.*]] = "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
// PRESERVE:        %[[R:.*]] = amp.cast %[[MM]] {origin = boundary} : tensor<4x4xf16> to tensor<4x4xf32>
// PRESERVE:        return %[[R]]
// PROPAGATE-NOT:   amp.cast
// PROPAGATE:       return %[[MM]]
// CPU:             "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
func.func @entry(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// A callee is a scope of its own here: its calls stay, recursive ones too, and
// it keeps its signature, because it has callers.
// CHECK-LABEL: func.func @caller
// CHECK:       call @callee(%{{.*}}) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-LABEL: func.func private @callee(%{{.*}}: tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK:       "aten.mm"({{.*}}) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
// CHECK:       %[[W:.*]] = amp.cast %{{.*}} {origin = boundary} : tensor<4x4xf16> to tensor<4x4xf32>
// CHECK:       call @callee(%[[W]]) : (tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @caller(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = call @callee(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func private @callee(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = call @callee(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
