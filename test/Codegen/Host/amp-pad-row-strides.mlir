// RUN: amp-opt --split-input-file --pass-pipeline="builtin.module(func.func(amp-pad-row-strides))" %s | FileCheck %s
// RUN: amp-opt --split-input-file --pass-pipeline="builtin.module(func.func(amp-pad-row-strides{min-row-bytes=0}))" %s | FileCheck %s --check-prefix=ALL
// RUN: not amp-opt --pass-pipeline="builtin.module(func.func(amp-pad-row-strides{alignment=96}))" %s 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: amp-pad-row-strides: 'alignment' must be a power of two, but is 96

module {
  module @kernels {
    func.func @copy(%x: tensor<?x?x?xf16>, %d: tensor<?x?x?xf16> {amp.destination = 0 : i64}) -> tensor<?x?x?xf16> attributes {amp.kernel} {
      %0 = linalg.copy ins(%x : tensor<?x?x?xf16>) outs(%d : tensor<?x?x?xf16>) -> tensor<?x?x?xf16>
      return %0 : tensor<?x?x?xf16>
    }
  }

  // Rows of 200 bytes; short ones stay unless asked for; multiples stay.
  // CHECK-LABEL: func.func @static
  // CHECK: memref.alloc() : memref<2x3x100xf16, strided<[384, 128, 1]>>
  // CHECK: memref.alloc() : memref<2x3x10xf16>
  // CHECK: memref.alloc() : memref<2x3x64xf16>
  // ALL-LABEL: func.func @static
  // ALL: memref.alloc() : memref<2x3x10xf16, strided<[192, 64, 1]>>
  // ALL: memref.alloc() : memref<2x3x64xf16>
  func.func @static() {
    %a = memref.alloc() : memref<2x3x100xf16>
    %b = memref.alloc() : memref<2x3x10xf16>
    %c = memref.alloc() : memref<2x3x64xf16>
    amp.launch @kernels::@copy ins(%a : memref<2x3x100xf16>) outs(%a : memref<2x3x100xf16>)
    amp.launch @kernels::@copy ins(%b : memref<2x3x10xf16>) outs(%b : memref<2x3x10xf16>)
    amp.launch @kernels::@copy ins(%c : memref<2x3x64xf16>) outs(%c : memref<2x3x64xf16>)
    memref.dealloc %a : memref<2x3x100xf16>
    return
  }

  // The stride of rows of dynamic size is computed.
  // CHECK-LABEL: func.func @dynamic
  // CHECK-SAME: %[[M:.*]]: index, %[[N:.*]]: index
  // CHECK: %[[UNIT:.*]] = arith.constant 64 : index
  // CHECK: %[[UNITS:.*]] = arith.ceildivui %[[N]], %[[UNIT]]
  // CHECK: %[[ROW:.*]] = arith.muli %[[UNITS]], %[[UNIT]]
  // CHECK: %[[OUTER:.*]] = arith.muli %[[ROW]], %[[M]]
  // CHECK: memref.alloc(%[[M]], %[[N]])[%[[OUTER]], %[[ROW]]] : memref<4x?x?xf16, strided<[?, ?, 1]>>
  func.func @dynamic(%m: index, %n: index) {
    %a = memref.alloc(%m, %n) : memref<4x?x?xf16>
    amp.launch @kernels::@copy ins(%a : memref<4x?x?xf16>) outs(%a : memref<4x?x?xf16>)
    return
  }

  // Others see these buffers.
  // CHECK-LABEL: func.func @seen
  // CHECK: memref.alloc() : memref<2x3x100xf16>
  // CHECK: memref.alloc() : memref<2x3x100xf16>
  func.func @seen() -> memref<2x3x100xf16> {
    %a = memref.alloc() : memref<2x3x100xf16>
    %b = memref.alloc() : memref<2x3x100xf16>
    amp.launch @kernels::@copy ins(%a : memref<2x3x100xf16>) outs(%b : memref<2x3x100xf16>)
    memref.copy %a, %b : memref<2x3x100xf16> to memref<2x3x100xf16>
    return %b : memref<2x3x100xf16>
  }
}
