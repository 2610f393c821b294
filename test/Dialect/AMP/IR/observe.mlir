// RUN: amp-opt %s | amp-opt | FileCheck %s
// RUN: amp-opt %s --mlir-print-op-generic | amp-opt | FileCheck %s
// RUN: amp-opt %s --emit-bytecode | amp-opt | FileCheck %s

// CHECK-LABEL: func.func @observe
// CHECK: amp.observe "observe:12ab" slot(7) %{{.*}} : tensor<?x3xbf16>
// CHECK: amp.observe "observe:12ac" slot(0) %{{.*}} {note = 1 : i64} : tensor<f8E5M2>
func.func @observe(%x: tensor<?x3xbf16>, %y: tensor<f8E5M2>) {
  amp.observe "observe:12ab" slot(7) %x : tensor<?x3xbf16>
  amp.observe "observe:12ac" slot(0) %y {note = 1 : i64} : tensor<f8E5M2>
  return
}
