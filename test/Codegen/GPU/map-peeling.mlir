// REQUIRES: ptxas
// RUN: amp-compile %s --target=sm_80 --emit=ptx -o %t.80.ptx
// RUN: amp-compile %s --target=sm_90a --emit=ptx -o %t.90.ptx
// RUN: %ptxas_check %t.80.ptx --max-registers=64
// RUN: %ptxas_check %t.90.ptx --max-registers=64
// RUN: FileCheck %s < %t.80.ptx
// RUN: FileCheck %s < %t.90.ptx

// A bias on rows of 1003 elements: four rows a thread, each with vectors that
// begin at its own first aligned address. The bias is the two aligned vectors
// that cover eight elements, which begin elsewhere in each row.
// CHECK-COUNT-12: ld.global.v4.b32
// CHECK-COUNT-4: st.global.v4.b32
func.func @main(%x: tensor<8192x1003xf16>, %g: tensor<1003xf16>) -> tensor<8192x1003xf16> {
  %e = tensor.empty() : tensor<8192x1003xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g : tensor<8192x1003xf16>, tensor<1003xf16>) outs(%e : tensor<8192x1003xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %s = arith.addf %a, %b : f16
    linalg.yield %s : f16
  } -> tensor<8192x1003xf16>
  return %y : tensor<8192x1003xf16>
}
