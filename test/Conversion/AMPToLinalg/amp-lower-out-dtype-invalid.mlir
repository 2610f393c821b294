// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --amp-lower-out-dtype -o /dev/null

// Depths that differ.
func.func @f(%a0: tensor<4x8xi8>, %a1: tensor<7x4xi8>) -> tensor<4x4xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<4x8xi8>, %x1 = %a1 : tensor<7x4xi8>) -> tensor<4x4xi8> {
    // expected-error @+1 {{'aten.mm' op in amp.out_dtype: dimension 0 of the second operand, of type tensor<7x4xi8>, has 7 elements, but expected 8 to fit the first operand}}
    %1 = "aten.mm"(%x0, %x1) : (tensor<4x8xi8>, tensor<7x4xi8>) -> tensor<4x4xi8>
    amp.yield %1 : tensor<4x4xi8>
  }
  return %0 : tensor<4x4xi8>
}

// -----

// A result of another shape.
func.func @f(%a0: tensor<4x8xi8>, %a1: tensor<8x4xi8>) -> tensor<4x5xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<4x8xi8>, %x1 = %a1 : tensor<8x4xi8>) -> tensor<4x5xi8> {
    // expected-error @+1 {{'aten.mm' op in amp.out_dtype: dimension 1 of the result has 5 elements, but the operands give 4}}
    %1 = "aten.mm"(%x0, %x1) : (tensor<4x8xi8>, tensor<8x4xi8>) -> tensor<4x5xi8>
    amp.yield %1 : tensor<4x5xi8>
  }
  return %0 : tensor<4x5xi8>
}

// -----

// Another rank.
func.func @f(%a0: tensor<1x4x8xi8>, %a1: tensor<8x4xi8>) -> tensor<4x4xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x4x8xi8>, %x1 = %a1 : tensor<8x4xi8>) -> tensor<4x4xi8> {
    // expected-error @+1 {{'aten.mm' op in amp.out_dtype: expected the first operand to be a ranked tensor of rank 2, but found 'tensor<1x4x8xi8>'}}
    %1 = "aten.mm"(%x0, %x1) : (tensor<1x4x8xi8>, tensor<8x4xi8>) -> tensor<4x4xi8>
    amp.yield %1 : tensor<4x4xi8>
  }
  return %0 : tensor<4x4xi8>
}

// -----

// One operand.
func.func @f(%a0: tensor<1x4x4xi8>) -> tensor<1x4x4xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x4x4xi8>) -> tensor<1x4x4xi8> {
    // expected-error @+1 {{'aten.bmm' op in amp.out_dtype: expected two matrices, but found 1 operands}}
    %1 = "aten.bmm"(%x0) : (tensor<1x4x4xi8>) -> tensor<1x4x4xi8>
    amp.yield %1 : tensor<1x4x4xi8>
  }
  return %0 : tensor<1x4x4xi8>
}

// -----

// A result of another rank.
func.func @f(%a0: tensor<1x4x4xi8>) -> tensor<4x4xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x4x4xi8>) -> tensor<4x4xi8> {
    // expected-error @+1 {{'aten.bmm' op in amp.out_dtype: expected a result of rank 3, but found 'tensor<4x4xi8>'}}
    %1 = "aten.bmm"(%x0, %x0) : (tensor<1x4x4xi8>, tensor<1x4x4xi8>) -> tensor<4x4xi8>
    amp.yield %1 : tensor<4x4xi8>
  }
  return %0 : tensor<4x4xi8>
}

// -----

// Complex numbers.
func.func @f(%a0: tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'aten.mm' op in amp.out_dtype: the first operand has element type 'complex<f32>', but expected f64, f32, f16, bf16, an 8-bit float, or an integer of 1 to 64 bits}}
    %1 = "aten.mm"(%x0, %x0) : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// A parameter that nobody knows.
func.func @f(%a0: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<4x4xi8>) -> tensor<4x4xi8> {
    // expected-error @+1 {{'aten.mm' op in amp.out_dtype: the attribute 'alpha' is no parameter of it that can be lowered; expected none}}
    %1 = "aten.mm"(%x0, %x0) {alpha = 2 : i64} : (tensor<4x4xi8>, tensor<4x4xi8>) -> tensor<4x4xi8>
    amp.yield %1 : tensor<4x4xi8>
  }
  return %0 : tensor<4x4xi8>
}

// -----

// Transposed convolutions: more output padding than the stride leaves room for, groups that do not divide, and sizes that the result does not have.
func.func @f(%a0: tensor<1x2x5x5xi8>, %a1: tensor<2x4x3x3xi8>) -> tensor<1x4x9x9xi32> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x2x5x5xi8>, %x1 = %a1 : tensor<2x4x3x3xi8>) -> tensor<1x4x9x9xi32> {
    // expected-error @+1 {{'aten.convolution' op in amp.out_dtype: expected 'output_padding' to be less than the stride or the dilation, but found 2 with stride 2 and dilation 1}}
    %1 = "aten.convolution"(%x0, %x1) {transposed = true, stride = [2, 2], output_padding = [2, 0]} : (tensor<1x2x5x5xi8>, tensor<2x4x3x3xi8>) -> tensor<1x4x9x9xi8>
    amp.yield %1 : tensor<1x4x9x9xi8>
  }
  return %0 : tensor<1x4x9x9xi32>
}

// -----

func.func @f(%a0: tensor<1x4x5xi8>, %a1: tensor<6x2x3xi8>) -> tensor<1x4x7xi32> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x4x5xi8>, %x1 = %a1 : tensor<6x2x3xi8>) -> tensor<1x4x7xi32> {
    // expected-error @+1 {{'aten.convolution' op in amp.out_dtype: the channels do not divide into 2 groups: the input has 4, the weight 4 out and 3 in per group}}
    %1 = "aten.convolution"(%x0, %x1) {transposed = true, groups = 2 : i64} : (tensor<1x4x5xi8>, tensor<6x2x3xi8>) -> tensor<1x4x7xi8>
    amp.yield %1 : tensor<1x4x7xi8>
  }
  return %0 : tensor<1x4x7xi32>
}

// -----

func.func @f(%a0: tensor<1x4x5xi8>, %a1: tensor<4x2x3xi8>) -> tensor<1x2x7xi32> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x4x5xi8>, %x1 = %a1 : tensor<4x2x3xi8>) -> tensor<1x2x7xi32> {
    // expected-error @+1 {{'aten.convolution' op in amp.out_dtype: dimension 1 of the result has 2 elements, but the weight gives 4}}
    %1 = "aten.convolution"(%x0, %x1) {transposed = true, groups = 2 : i64} : (tensor<1x4x5xi8>, tensor<4x2x3xi8>) -> tensor<1x2x7xi8>
    amp.yield %1 : tensor<1x2x7xi8>
  }
  return %0 : tensor<1x2x7xi32>
}

// -----

func.func @f(%a0: tensor<1x2x5xi8>, %a1: tensor<2x4x3xi8>) -> tensor<1x4x5xi32> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x2x5xi8>, %x1 = %a1 : tensor<2x4x3xi8>) -> tensor<1x4x5xi32> {
    // expected-error @+1 {{'aten.convolution' op in amp.out_dtype: dimension 2 of the result has 5 elements, but the operands give 7}}
    %1 = "aten.convolution"(%x0, %x1) {transposed = true} : (tensor<1x2x5xi8>, tensor<2x4x3xi8>) -> tensor<1x4x5xi8>
    amp.yield %1 : tensor<1x4x5xi8>
  }
  return %0 : tensor<1x4x5xi32>
}

// -----

// A stride of three numbers.
func.func @f(%a0: tensor<1x2x5x5xi8>, %a1: tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x2x5x5xi8>, %x1 = %a1 : tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
    // expected-error @+1 {{'aten.conv2d' op in amp.out_dtype: expected 'stride' to be 2 integers of at least 1, but found [1, 1, 1]}}
    %1 = "aten.conv2d"(%x0, %x1) {stride = [1, 1, 1]} : (tensor<1x2x5x5xi8>, tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8>
    amp.yield %1 : tensor<1x4x3x3xi8>
  }
  return %0 : tensor<1x4x3x3xi8>
}

// -----

// A stride of 0.
func.func @f(%a0: tensor<1x2x5x5xi8>, %a1: tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x2x5x5xi8>, %x1 = %a1 : tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
    // expected-error @+1 {{'aten.conv2d' op in amp.out_dtype: expected 'stride' to be 2 integers of at least 1, but found 0 : i64}}
    %1 = "aten.conv2d"(%x0, %x1) {stride = 0 : i64} : (tensor<1x2x5x5xi8>, tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8>
    amp.yield %1 : tensor<1x4x3x3xi8>
  }
  return %0 : tensor<1x4x3x3xi8>
}

// -----

// A padding that would crop.
func.func @f(%a0: tensor<1x2x5x5xi8>, %a1: tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x2x5x5xi8>, %x1 = %a1 : tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
    // expected-error @+1 {{'aten.conv2d' op in amp.out_dtype: expected 'padding' to be 2 integers of at least 0, but found [-1, 0]}}
    %1 = "aten.conv2d"(%x0, %x1) {padding = [-1, 0]} : (tensor<1x2x5x5xi8>, tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8>
    amp.yield %1 : tensor<1x4x3x3xi8>
  }
  return %0 : tensor<1x4x3x3xi8>
}

// -----

// A padding by name.
func.func @f(%a0: tensor<1x2x5x5xi8>, %a1: tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x2x5x5xi8>, %x1 = %a1 : tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
    // expected-error @+1 {{'aten.conv2d' op in amp.out_dtype: expected 'padding' to be 2 integers, but found a name: write the numbers that it stands for}}
    %1 = "aten.conv2d"(%x0, %x1) {padding = "same"} : (tensor<1x2x5x5xi8>, tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8>
    amp.yield %1 : tensor<1x4x3x3xi8>
  }
  return %0 : tensor<1x4x3x3xi8>
}

// -----

// Groups that do not divide the channels.
func.func @f(%a0: tensor<1x2x5x5xi8>, %a1: tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x2x5x5xi8>, %x1 = %a1 : tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
    // expected-error @+1 {{'aten.conv2d' op in amp.out_dtype: the channels do not divide into 3 groups: the input has 2, the weight 4 out and 2 in per group}}
    %1 = "aten.conv2d"(%x0, %x1) {groups = 3 : i64} : (tensor<1x2x5x5xi8>, tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8>
    amp.yield %1 : tensor<1x4x3x3xi8>
  }
  return %0 : tensor<1x4x3x3xi8>
}

// -----

// A window of unknown size.
func.func @f(%a0: tensor<1x2x5x5xi8>, %a1: tensor<4x2x?x3xi8>) -> tensor<1x4x3x3xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x2x5x5xi8>, %x1 = %a1 : tensor<4x2x?x3xi8>) -> tensor<1x4x3x3xi8> {
    // expected-error @+1 {{'aten.conv2d' op in amp.out_dtype: expected a window of static size, but the weight has type 'tensor<4x2x?x3xi8>'}}
    %1 = "aten.conv2d"(%x0, %x1) {} : (tensor<1x2x5x5xi8>, tensor<4x2x?x3xi8>) -> tensor<1x4x3x3xi8>
    amp.yield %1 : tensor<1x4x3x3xi8>
  }
  return %0 : tensor<1x4x3x3xi8>
}

// -----

// A result that the stride does not give.
func.func @f(%a0: tensor<1x2x5x5xi8>, %a1: tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x2x5x5xi8>, %x1 = %a1 : tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8> {
    // expected-error @+1 {{'aten.conv2d' op in amp.out_dtype: dimension 2 of the result has 3 elements, but the operands give 2}}
    %1 = "aten.conv2d"(%x0, %x1) {stride = [2, 1]} : (tensor<1x2x5x5xi8>, tensor<4x2x3x3xi8>) -> tensor<1x4x3x3xi8>
    amp.yield %1 : tensor<1x4x3x3xi8>
  }
  return %0 : tensor<1x4x3x3xi8>
}

// -----

// A scalar overload of two tensors.
func.func @f(%a0: tensor<4xi8>) -> tensor<4xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<4xi8>) -> tensor<4xi8> {
    // expected-error @+1 {{'aten.mul.Scalar' op in amp.out_dtype: expected a scalar as the second operand, but found 'tensor<4xi8>'}}
    %1 = "aten.mul.Scalar"(%x0, %x0) : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
    amp.yield %1 : tensor<4xi8>
  }
  return %0 : tensor<4xi8>
}

// -----

// A scalar overload without the scalar.
func.func @f(%a0: tensor<4xi8>) -> tensor<4xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<4xi8>) -> tensor<4xi8> {
    // expected-error @+1 {{'aten.mul.Scalar' op in amp.out_dtype: expected a second operand, or a number as the attribute 'other'}}
    %1 = "aten.mul.Scalar"(%x0) : (tensor<4xi8>) -> tensor<4xi8>
    amp.yield %1 : tensor<4xi8>
  }
  return %0 : tensor<4xi8>
}

// -----

// A tensor overload with a scalar.
func.func @f(%a0: tensor<4xi8>) -> tensor<4xf32> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<4xi8>) -> tensor<4xf32> {
    // expected-error @+1 {{'aten.div.Tensor' op in amp.out_dtype: expected two tensors, but the second operand is a scalar: write 'div.Scalar'}}
    %1 = "aten.div.Tensor"(%x0) {other = 2 : i64} : (tensor<4xi8>) -> tensor<4xf32>
    amp.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Shapes that do not broadcast.
func.func @f(%a0: tensor<4xi8>, %a1: tensor<3xi8>) -> tensor<4xi8> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<4xi8>, %x1 = %a1 : tensor<3xi8>) -> tensor<4xi8> {
    // expected-error @+1 {{'aten.mul.Tensor' op in amp.out_dtype: dimension 0 of the second operand, of type tensor<3xi8>, has 3 elements, but expected 4 to fit the first operand}}
    %1 = "aten.mul.Tensor"(%x0, %x1) : (tensor<4xi8>, tensor<3xi8>) -> tensor<4xi8>
    amp.yield %1 : tensor<4xi8>
  }
  return %0 : tensor<4xi8>
}

// -----

// A zero point that is no constant.
func.func @f(%a0: tensor<1x4x4xi8>, %a1: tensor<1xi8>) -> tensor<1x4x4xi32> {
  %0 = amp.out_dtype (%x0 = %a0 : tensor<1x4x4xi8>, %x1 = %a1 : tensor<1xi8>) -> tensor<1x4x4xi32> {
    // expected-error @+1 {{'tosa.matmul' op in amp.out_dtype: expected the zero point of the first operand to be a constant of one element, but found 'tensor<1xi8>' of another op}}
    %1 = tosa.matmul %x0, %x0, %x1, %x1 : (tensor<1x4x4xi8>, tensor<1x4x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4xi32>
    amp.yield %1 : tensor<1x4x4xi32>
  }
  return %0 : tensor<1x4x4xi32>
}

// -----

// A product with a shift.
func.func @f(%a: tensor<4xi32>) -> tensor<4xi64> {
  %s = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = amp.out_dtype (%x = %a : tensor<4xi32>, %y = %s : tensor<1xi8>) -> tensor<4xi64> {
    // expected-error @+1 {{'tosa.mul' op in amp.out_dtype: a product with a shift has no other result type: expected shift 0, but found 3}}
    %1 = tosa.mul %x, %x, %y : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
    amp.yield %1 : tensor<4xi32>
  }
  return %0 : tensor<4xi64>
}

// -----

// A transposed convolution with a window of unknown size.
func.func @f(%a: tensor<1x4x4x2xi8>, %w: tensor<3x?x2x2xi8>, %c: tensor<3xi32>, %z: tensor<1xi8>) -> tensor<1x?x5x3xi64> {
  %p = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = amp.out_dtype (%x = %a : tensor<1x4x4x2xi8>, %y = %w : tensor<3x?x2x2xi8>, %b = %c : tensor<3xi32>, %s = %p : tensor<1xi8>) -> tensor<1x?x5x3xi64> {
    // expected-error @+1 {{'tosa.transpose_conv2d' op in amp.out_dtype: expected a window of static size, but the weight has type 'tensor<3x?x2x2xi8>'}}
    %1 = tosa.transpose_conv2d %x, %y, %b, %s, %s {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<3x?x2x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x?x5x3xi32>
    amp.yield %1 : tensor<1x?x5x3xi32>
  }
  return %0 : tensor<1x?x5x3xi64>
}

// -----

// A scope that is left over.
func.func @f(%a: f32) -> f32 {
  // expected-error @+1 {{'amp.autocast' op is a scope, which amp-lower-out-dtype does not lower}}
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : f32) -> f32 {
    amp.yield %x : f32
  }
  return %0 : f32
}
