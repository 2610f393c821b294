// The perceptron of mlp.mlir in TOSA 1.0, with the batch of the test split.
// tosa.matmul is batched, so a batch dimension of one goes around each of them.
// TOSA has no unsigned bytes outside tosa.rescale; pixels are at most 16, so
// the signed cast reads them right.

module {
  func.func @main(
      %images: tensor<450x8x8xi8> {amp.name = "images"},
      %w1: tensor<64x128xf32> {amp.name = "w1"}, %b1: tensor<128xf32> {amp.name = "b1"},
      %w2: tensor<128x64xf32> {amp.name = "w2"}, %b2: tensor<64xf32> {amp.name = "b2"},
      %w3: tensor<64x10xf32> {amp.name = "w3"}, %b3: tensor<10xf32> {amp.name = "b3"})
      -> (tensor<450x10xf32> {amp.name = "logits"}) {
    %fzero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %scale = "tosa.const"() <{values = dense<6.250000e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %s0 = tosa.const_shape {values = dense<[1, 450, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %sw1 = tosa.const_shape {values = dense<[1, 64, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %sb1 = tosa.const_shape {values = dense<[1, 1, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %sw2 = tosa.const_shape {values = dense<[1, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %sb2 = tosa.const_shape {values = dense<[1, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %sw3 = tosa.const_shape {values = dense<[1, 64, 10]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %sb3 = tosa.const_shape {values = dense<[1, 1, 10]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %sout = tosa.const_shape {values = dense<[450, 10]> : tensor<2xindex>} : () -> !tosa.shape<2>

    // Bytes to [0, 1].
    %float = tosa.cast %images : (tensor<450x8x8xi8>) -> tensor<450x8x8xf32>
    %flat = tosa.reshape %float, %s0 : (tensor<450x8x8xf32>, !tosa.shape<3>) -> tensor<1x450x64xf32>
    %x = tosa.mul %flat, %scale, %shift
        : (tensor<1x450x64xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x450x64xf32>

    // Layer 1: relu(x w1 + b1).
    %rw1 = tosa.reshape %w1, %sw1 : (tensor<64x128xf32>, !tosa.shape<3>) -> tensor<1x64x128xf32>
    %rb1 = tosa.reshape %b1, %sb1 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<1x1x128xf32>
    %m1 = tosa.matmul %x, %rw1, %fzero, %fzero
        : (tensor<1x450x64xf32>, tensor<1x64x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x450x128xf32>
    %a1 = tosa.add %m1, %rb1 : (tensor<1x450x128xf32>, tensor<1x1x128xf32>) -> tensor<1x450x128xf32>
    %h1 = tosa.clamp %a1 {min_val = 0.0 : f32, max_val = 0x7F7FFFFF : f32}
        : (tensor<1x450x128xf32>) -> tensor<1x450x128xf32>

    // Layer 2: relu(h1 w2 + b2).
    %rw2 = tosa.reshape %w2, %sw2 : (tensor<128x64xf32>, !tosa.shape<3>) -> tensor<1x128x64xf32>
    %rb2 = tosa.reshape %b2, %sb2 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<1x1x64xf32>
    %m2 = tosa.matmul %h1, %rw2, %fzero, %fzero
        : (tensor<1x450x128xf32>, tensor<1x128x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x450x64xf32>
    %a2 = tosa.add %m2, %rb2 : (tensor<1x450x64xf32>, tensor<1x1x64xf32>) -> tensor<1x450x64xf32>
    %h2 = tosa.clamp %a2 {min_val = 0.0 : f32, max_val = 0x7F7FFFFF : f32}
        : (tensor<1x450x64xf32>) -> tensor<1x450x64xf32>

    // Layer 3: logits = h2 w3 + b3.
    %rw3 = tosa.reshape %w3, %sw3 : (tensor<64x10xf32>, !tosa.shape<3>) -> tensor<1x64x10xf32>
    %rb3 = tosa.reshape %b3, %sb3 : (tensor<10xf32>, !tosa.shape<3>) -> tensor<1x1x10xf32>
    %m3 = tosa.matmul %h2, %rw3, %fzero, %fzero
        : (tensor<1x450x64xf32>, tensor<1x64x10xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x450x10xf32>
    %a3 = tosa.add %m3, %rb3 : (tensor<1x450x10xf32>, tensor<1x1x10xf32>) -> tensor<1x450x10xf32>
    %logits = tosa.reshape %a3, %sout : (tensor<1x450x10xf32>, !tosa.shape<2>) -> tensor<450x10xf32>
    return %logits : tensor<450x10xf32>
  }
}
