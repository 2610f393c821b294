// Every bad input gives one error that names it, and the exit code 2.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/Inputs/arrays.py %t
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/missing.npy 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: amp-run: error: cannot read '{{.*}}missing.npy': No such file or directory

// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/double.npy 2>&1 | FileCheck %s --check-prefix=DTYPE
// DTYPE: error: argument 'x' of type tensor<?x3xf32>: expected elements of type float32, found float64 in '{{.*}}double.npy'; --convert-inputs converts them

// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry h --input %t/x.npy 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: error: argument 'x' of type tensor<2x3xf16>: expected elements of type float16, found float32

// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/flat.npy 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: argument 'x' of type tensor<?x3xf32>: expected rank 2, found rank 1 (float32 6) in '{{.*}}flat.npy'

// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/wide.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: argument 'x' of type tensor<?x3xf32>: found shape 2x4 in '{{.*}}wide.npy'

// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --random --shape x=2x3 --shape x=4x3 2>&1 | FileCheck %s --check-prefix=TWOSHAPES
// TWOSHAPES: error: argument 'x' is given two shapes: 2x3 and 4x3

// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/truncated.npy 2>&1 | FileCheck %s --check-prefix=TRUNCATED
// TRUNCATED: error: '{{.*}}truncated.npy': truncated: float32 2x3 needs 24 bytes of data, found 19
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/header.npy 2>&1 | FileCheck %s --check-prefix=HEADER
// HEADER: error: '{{.*}}header.npy': truncated: expected a .npy header of 118 bytes, found 30
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --weights %t/truncated.npz 2>&1 | FileCheck %s --check-prefix=ZIP
// ZIP: error: '{{.*}}truncated.npz': truncated: the archive has no directory at its end
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --weights %t/damaged.npz 2>&1 | FileCheck %s --check-prefix=DAMAGED
// DAMAGED: error: '{{.*}}damaged.npz', member 'b.npy': the data is damaged: expected checksum 0x{{.*}}, found 0x
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/text.npy 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: '{{.*}}text.npy': not a .npy file: expected it to start with '\x93NUMPY', found '1 2 3\0A'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/big-endian.npy 2>&1 | FileCheck %s --check-prefix=ENDIAN
// ENDIAN: error: '{{.*}}big-endian.npy': the elements are big-endian ('>f4'), expected little-endian
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/complex.npy 2>&1 | FileCheck %s --check-prefix=COMPLEX
// COMPLEX: error: '{{.*}}complex.npy': element type '<c8' is not supported

// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: argument 'x' of type tensor<?x3xf32> has no input; give --input x=FILE.npy
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --random 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: argument 'x' of type tensor<?x3xf32> has a dynamic shape: give the shape of its random input, for example --shape x=8x3
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --random --shape x=2x4 2>&1 | FileCheck %s --check-prefix=BADSHAPE
// BADSHAPE: error: argument 'x' of type tensor<?x3xf32> cannot have shape 2x4
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --random --shape x=2y3 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: error: 'x=2y3': expected sizes as in NAME=2x3, found '2y3'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --random --shape x=1000000000000x3 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: argument 'x': no memory for an array of 12000000000000 bytes
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input y=%t/x.npy 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: no argument is called 'y'; the arguments are 'x'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input %t/x.npy --input %t/x.npy 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: '{{.*}}x.npy' is one input too many; the arguments are 'x'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/x.npy --input 0=%t/nan.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: argument 'x' of type tensor<?x3xf32> is bound twice: to '{{.*}}x.npy' and to '{{.*}}nan.npy'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/other.npz 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: '{{.*}}other.npz' holds several arrays; name one for argument 'x' as --input x={{.*}}other.npz:MEMBER
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --input x=%t/other.npz:x 2>&1 | FileCheck %s --check-prefix=MEMBER
// MEMBER: error: '{{.*}}other.npz' has no member 'x'; it has 'images', 'labels'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry f --weights %t/other.npz 2>&1 | FileCheck %s --check-prefix=NOMEMBER
// NOMEMBER: error: '{{.*}}other.npz' has no member with the name of an argument; it has 'images', 'labels'; the arguments are 'x'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry i8 --input %t/large.npy --convert-inputs 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: argument 'arg0' of type tensor<2xi8>: '{{.*}}large.npy': element 1 is 300, which int8 does not hold exactly
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry i --random 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: error: argument 'arg0' of type index takes no random number: give it as --input arg0=NUMBER
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry i --input 0=three 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: argument 'arg0' of type index: expected a number, a .npy file or FILE.npz:MEMBER, found 'three'

// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry m --random 2>&1 | FileCheck %s --check-prefix=MEMREF
// MEMREF: error: argument 'arg0' has type memref<4xf32>; expected a ranked tensor, or a scalar
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry c --random 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: argument 'arg0' has type tensor<4xcomplex<f32>>; expected a ranked tensor, or a scalar
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry twins --random 2>&1 | FileCheck %s --check-prefix=TWINS
// TWINS: error: two arguments are called 'a'; give them distinct 'amp.name' attributes

func.func @f(%x: tensor<?x3xf32> {amp.name = "x"}) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}
func.func @h(%x: tensor<2x3xf16> {amp.name = "x"}) -> tensor<2x3xf16> {
  return %x : tensor<2x3xf16>
}
func.func @i8(%x: tensor<2xi8>) -> tensor<2xi8> {
  return %x : tensor<2xi8>
}
func.func @i(%n: index) -> index {
  return %n : index
}
func.func @m(%x: memref<4xf32>) {
  return
}
func.func @c(%x: tensor<4xcomplex<f32>>) {
  return
}
func.func @twins(%x: f32 {amp.name = "a"}, %y: f32 {amp.name = "a"}) {
  return
}
