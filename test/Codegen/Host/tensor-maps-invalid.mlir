// RUN: amp-opt --amp-cuda-lower-host="target=sm_90a" --split-input-file --verify-diagnostics %s

#g = #gpu.address_space<global>
module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "PTX">]
  func.func @stride(%x: memref<8x20xf16, #g>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{attribute 'amp.tensor_maps' needs strides of a multiple of 16 bytes, but operand 0 has one of 40}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8x20xf16, #g>)
        {amp.tensor_maps = [{operand = 0 : i64, box = array<i64: 64, 128>, swizzle = 128 : i64}]}
    return
  }
}

// -----

#g = #gpu.address_space<global>
module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "PTX">]
  func.func @row(%x: memref<8x64xf16, #g>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{attribute 'amp.tensor_maps' has a box of rows of 64 bytes; expected the 128 of its swizzle}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8x64xf16, #g>)
        {amp.tensor_maps = [{operand = 0 : i64, box = array<i64: 32, 128>, swizzle = 128 : i64}]}
    return
  }
}

// -----

#g = #gpu.address_space<global>
module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "PTX">]
  func.func @box(%x: memref<8x64xf16, #g>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{attribute 'amp.tensor_maps' has a box of 257 elements along dimension 1; expected 1 to 256}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8x64xf16, #g>)
        {amp.tensor_maps = [{operand = 0 : i64, box = array<i64: 64, 257>, swizzle = 128 : i64}]}
    return
  }
}

// -----

#g = #gpu.address_space<global>
module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "PTX">]
  func.func @inner(%y: memref<1024xf16, #g>) {
    %c1 = arith.constant 1 : index
    %x = memref.reinterpret_cast %y to offset: [0], sizes: [8, 64], strides: [64, 2] : memref<1024xf16, #g> to memref<8x64xf16, strided<[64, 2]>, #g>
    // expected-error @below {{attribute 'amp.tensor_maps' needs an innermost stride of 1, but operand 0 is 'memref<8x64xf16, strided<[64, 2]>>'}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8x64xf16, strided<[64, 2]>, #g>)
        {amp.tensor_maps = [{operand = 0 : i64, box = array<i64: 64, 8>, swizzle = 128 : i64}]}
    return
  }
}

// -----

#g = #gpu.address_space<global>
module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "PTX">]
  func.func @rank(%x: memref<8x64xf16, #g>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{attribute 'amp.tensor_maps' has boxes, steps or corners for another number of dimensions than the 2 of operand 0}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8x64xf16, #g>)
        {amp.tensor_maps = [{operand = 0 : i64, box = array<i64: 64, 8, 1>, swizzle = 128 : i64}]}
    return
  }
}

// -----

#g = #gpu.address_space<global>
module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "PTX">]
  func.func @number(%x: memref<8x64xf16, #g>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{attribute 'amp.tensor_maps' describes operand 1 of 1}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8x64xf16, #g>)
        {amp.tensor_maps = [{operand = 1 : i64, box = array<i64: 64, 8>, swizzle = 128 : i64}]}
    return
  }
}

// -----

#g = #gpu.address_space<global>
module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "PTX">]
  func.func @twice(%x: memref<8x64xf16, #g>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{attribute 'amp.tensor_maps' describes operand 0 twice}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8x64xf16, #g>)
        {amp.tensor_maps = [{operand = 0 : i64, box = array<i64: 64, 8>}, {operand = 0 : i64, box = array<i64: 64, 8>}]}
    return
  }
}

// -----

#g = #gpu.address_space<global>
module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "PTX">]
  func.func @unknown(%x: memref<8x64xf16, #g>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{attribute 'amp.tensor_maps' must have dictionaries of 'operand', 'swizzle' and 'l2' (i64), and of 'box', 'steps', 'lower' and 'upper' (arrays of i64), but found {boxes = 1 : i64, operand = 0 : i64}}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8x64xf16, #g>)
        {amp.tensor_maps = [{operand = 0 : i64, boxes = 1 : i64}]}
    return
  }
}

// -----

module {
  // expected-error @below {{attribute 'amp.tensor_map' of argument 0 is a unit attribute for memrefs of a 'gpu.func'}}
  func.func @f(%x: memref<4xf32> {amp.tensor_map}) {
    return
  }
}
