// Programs on the simulated device: the same numbers as on the CPU, autocast
// with the policy of a device, the stages, and the profile.
// UNSUPPORTED: sanitizer

// RUN: env -u AMP_CUDA_DRIVER amp-run %s --entry=add --device=sim --random --shape x=3x5 --shape y=3x5 --output=%t-sim.npy | FileCheck %s --check-prefix=ADD
// RUN: amp-run %s --entry=add --device=cpu --random --shape x=3x5 --shape y=3x5 --output=%t-cpu.npy | FileCheck %s --check-prefix=ADD
// ADD: result sum: shape=3x5 type=f32
// RUN: cmp %t-sim.npy %t-cpu.npy

// RUN: env -u AMP_CUDA_DRIVER amp-run %s --entry=gelu --device=sim --random --autocast=f16 --compare=f32 --tolerance=0.01 --time=2 | FileCheck %s --check-prefix=GELU
// GELU: result result0: shape=8x16 type=f32
// GELU: compare result0: {{.*}} mismatches=0
// GELU: time: median_ms=
// GELU: time f32: median_ms=

// RUN: env -u AMP_CUDA_DRIVER amp-run %s --entry=gelu --device=sim --random --profile-kernels | FileCheck %s --check-prefix=PROFILE
// PROFILE: kernel gelu{{.*}}: us={{.*}} launches=1 bytes=1024 gb_per_s={{.*}} flops={{[0-9]+}} gflop_per_s={{.*}} of_copy_rate=
// PROFILE: profile: kernels=1 us=

// Sizes are those of the run: of the inputs, and a number. The device has four multiprocessors of sm_80 at a megahertz.
// RUN: env -u AMP_CUDA_DRIVER amp-run %s --entry=gram --device=sim --random --shape x=30x24 --input n=20 --autocast=f16 --profile-kernels | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: kernel gram{{.*}}: us={{.*}} launches=1 bytes=3520 gb_per_s={{.*}} flops=19600 gflop_per_s={{.*}} of_copy_rate={{.*}}% of_roofline={{.*}}% bound=compute at
// DYNAMIC: profile: peak_gflop_per_s f64=0.256 f32=0.512 tf32=4.096 f16=8.192 f8=8.192
// RUN: env AMP_SIM_CAPABILITY=75 AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so amp-run %s --entry=gram --device=sim --random --shape x=30x24 --input n=20 --profile-kernels | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: of_copy_rate={{.*}}% of_roofline=- bound=- at
// UNKNOWN: profile: peak_gflop_per_s f64=- f32=- tf32=- f16=- f8=-

// How many rows there are is in the tensor.
// RUN: %python -c "import numpy as np; np.save(r'%t-two.npy', np.array([2, 1, 0.5], np.float32))"
// RUN: env -u AMP_CUDA_DRIVER amp-run %s --entry=chosen --device=sim --input 0=%t-two.npy --profile-kernels | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: kernel chosen{{.*}} bytes=- gb_per_s=- flops=- gflop_per_s=- of_copy_rate=- of_roofline=- bound=- at

// tf32 rounds what the reference does not: products are off, by at most 2^-10.
// RUN: env -u AMP_CUDA_DRIVER amp-run %s --entry=product --device=sim --random --allow-tf32 --compare=f32 --tolerance=0.001 | FileCheck %s --check-prefix=TF32
// TF32: compare result0: max_abs=0.00{{[1-9]}}{{.*}} mismatches=0
// RUN: amp-run %s --entry=product --device=cuda --allow-tf32 --dump-stage=gpu | FileCheck %s --check-prefix=TF32IR
// TF32IR: nvvm.convert.float.to.tf32

// RUN: amp-run %s --entry=gelu --device=cuda --dump-stage=kernels | FileCheck %s --check-prefix=KERNELS
// KERNELS: amp.launch
// RUN: amp-run %s --entry=gelu --device=cuda --target=sm_90a --dump-stage=gpu | FileCheck %s --check-prefix=GPU
// GPU: gpu.func
// GPU: gpu.launch_func
// RUN: amp-run %s --entry=gelu --device=sim --dump-stage=llvm | FileCheck %s --check-prefix=LLVM
// LLVM: llvm.mlir.global{{.*}}@main_model

// Code for another device than the one that there is.
// RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so AMP_SIM_CAPABILITY=80 %python %S/Inputs/fails.py 1 amp-run %s --entry=gelu --random --device=cuda --target=sm_90a 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: amp-run: error: {{.*}}compiled for sm_90a, cannot be loaded on CUDA device 0 of compute capability 8.0

// Sizes that do not agree are found as the program runs.
// RUN: env -u AMP_CUDA_DRIVER %python %S/Inputs/fails.py 1 amp-run %s --entry=add --device=sim --random --shape x=3x5 --shape y=3x4 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: amp-run: error: {{.*}}the sizes in 'linalg.add' do not agree

func.func @add(%x: tensor<?x?xf32> {amp.name = "x"}, %y: tensor<?x?xf32> {amp.name = "y"})
    -> (tensor<?x?xf32> {amp.name = "sum"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.add ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @product(%x: tensor<8x16xf32>, %y: tensor<16x24xf32>) -> tensor<8x24xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x24xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<8x16xf32>, tensor<16x24xf32>) outs(%zero : tensor<8x24xf32>) -> tensor<8x24xf32>
  return %0 : tensor<8x24xf32>
}

func.func @gram(%x: tensor<?x?xf32> {amp.name = "x"}, %n: index {amp.name = "n"}) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.extract_slice %x[0, 0] [%n, 24] [1, 1] : tensor<?x?xf32> to tensor<?x24xf32>
  %d = tensor.dim %rows, %c0 : tensor<?x24xf32>
  %e = tensor.empty(%d) : tensor<24x?xf32>
  %t = linalg.transpose ins(%rows : tensor<?x24xf32>) outs(%e : tensor<24x?xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty(%d, %d) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = linalg.matmul ins(%rows, %t : tensor<?x24xf32>, tensor<24x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.abs ins(%m : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @chosen(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %first = tensor.extract %x[%c0] : tensor<?xf32>
  %i = arith.fptosi %first : f32 to i64
  %n = arith.index_cast %i : i64 to index
  %rows = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.exp ins(%rows : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @gelu(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %half = arith.constant dense<0.5> : tensor<8x16xf32>
  %one = arith.constant dense<1.0> : tensor<8x16xf32>
  %scale = arith.constant dense<0.70710678> : tensor<8x16xf32>
  %0 = arith.mulf %x, %scale : tensor<8x16xf32>
  %1 = math.erf %0 : tensor<8x16xf32>
  %2 = arith.addf %1, %one : tensor<8x16xf32>
  %3 = arith.mulf %x, %half : tensor<8x16xf32>
  %4 = arith.mulf %3, %2 : tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}
