# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=generic}" | FileCheck %s
# Elements of 16 bits that loops and branches carry: all there are, subnormal numbers and signalling NaN among them. Equality of bits.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import NUMPY, Suite

codes = np.random.default_rng(0).permutation(65536).astype(np.uint16)
suite = Suite()
for element in ("bf16", "f16"):
    T = f"tensor<65536x{element}>"
    # Each element of the result is the one before it of the operand, or the last one that was at an even place.
    before = np.maximum(np.arange(65536) - 1, 0)
    for name, carried, place in (("before", "%v", before), ("even", "%w", before // 2 * 2)):
        suite.add(f"{name}_{element}", f"""func.func @{name}_{element}(%x: {T}, %e: {T}) -> tensor<65536xi16> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 65536 : index
  %first = tensor.extract %x[%c0] : {T}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first, %o = %e) -> ({element}, {T}) {{
    %q = tensor.insert %p into %o[%i] : {T}
    %m = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %m, %c0 : index
    %v = tensor.extract %x[%i] : {T}
    %w = scf.if %even -> {element} {{
      %a = tensor.extract %x[%i] : {T}
      scf.yield %a : {element}
    }} else {{
      scf.yield %p : {element}
    }}
    scf.yield {carried}, %q : {element}, {T}
  }}
  %f = tensor.empty() : tensor<65536xi16>
  %b = linalg.map {{ arith.bitcast }} ins(%r#1 : {T}) outs(%f : tensor<65536xi16>)
  return %b : tensor<65536xi16>
}}""", [codes.view(NUMPY[element]), np.zeros_like(codes).view(NUMPY[element])], [("i16", 1)], [codes.view(np.int16)[place].astype(np.int64)],
                  scalar="written as loops")
suite.run()
