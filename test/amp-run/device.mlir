// What the program runs on, and what is said where there is no device.

// No driver: the CPU, with a remark; or one clear line.
// RUN: env AMP_CUDA_DRIVER=%t-none.so amp-run %s --random 2>&1 | FileCheck %s --check-prefixes=REMARK,RESULT
// REMARK: amp-run: remark: running on the CPU: no CUDA driver: {{.*}}-none.so: cannot open shared object file
// RESULT: result result0: shape=4 type=f32
// RUN: env AMP_CUDA_DRIVER=%t-none.so %python %S/Inputs/fails.py 1 amp-run %s --random --device=cuda 2> %t.err
// RUN: FileCheck %s --check-prefix=DRIVER --implicit-check-not={{.}} < %t.err
// DRIVER: {{^}}amp-run: error: --device=cuda: no CUDA driver: {{.*}}-none.so: cannot open shared object file{{.*}}
// RUN: env AMP_CUDA_DRIVER=%t-none.so %python %S/Inputs/fails.py 1 amp-run %s --random --profile-kernels 2>&1 | FileCheck %s --check-prefix=PROFILE
// PROFILE: error: --profile-kernels: no CUDA driver
// RUN: env AMP_CUDA_DRIVER=%t-none.so amp-run %s --random --device=cpu 2>&1 | FileCheck %s --check-prefix=RESULT --implicit-check-not=remark

// A driver without a device, and one whose devices are all hidden.
// RUN: %cc -shared -fPIC -I%amp_src/lib/Runtime/CUDA %S/Inputs/fake-driver.c -o %t.so
// RUN: env -u CUDA_VISIBLE_DEVICES AMP_CUDA_DRIVER=%t.so amp-run %s --random 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: env -u CUDA_VISIBLE_DEVICES AMP_CUDA_DRIVER=%t.so %python %S/Inputs/fails.py 1 amp-run %s --random --device=cuda:1 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: amp-run: {{remark: running on the CPU|error: --device=cuda}}: no CUDA device: CUDA error 100{{$}}
// RUN: env CUDA_VISIBLE_DEVICES= AMP_CUDA_DRIVER=%t.so amp-run %s --random 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: env CUDA_VISIBLE_DEVICES= AMP_CUDA_DRIVER=%t.so %python %S/Inputs/fails.py 1 amp-run %s --random --device=cuda 2>&1 | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: amp-run: {{remark: running on the CPU|error: --device=cuda}}: no CUDA device: CUDA_VISIBLE_DEVICES is '': CUDA error 100{{$}}

// To look at the IR no device is needed, and none is looked for in vain.
// RUN: env AMP_CUDA_DRIVER=%t-none.so amp-run %s --dump-stage=to-linalg 2>&1 | FileCheck %s --check-prefix=LOOK --implicit-check-not=remark
// LOOK: func.func @main

// The command line.
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --device=tpu 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: --device: expected auto, cpu, cuda, cuda:N or sim, found 'tpu'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --device=cuda:x 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: --device: expected auto, cpu, cuda, cuda:N or sim, found 'cuda:x'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --device=cuda --target=sm_10 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: --target: expected a target of sm_80, {{.*}}found 'sm_10'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --target=sm_80 2>&1 | FileCheck %s --check-prefix=MEANING
// MEANING: error: --target: has a meaning only with --device=cuda or --device=sim
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --device=sim --target=sm_90a 2>&1 | FileCheck %s --check-prefix=SIMTARGET
// SIMTARGET: error: --target: the simulator runs code for sim or sim:sm_90a, not for sm_90a
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --device=cpu --profile-kernels 2>&1 | FileCheck %s --check-prefix=PROFCPU
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --device=cpu --profile 2>&1 | FileCheck %s --check-prefix=PROFCPU
// PROFCPU: error: --profile-kernels: tells of kernels on a device, which --device=cpu has not
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --device=cpu --allow-tf32 2>&1 | FileCheck %s --check-prefix=TF32CPU
// TF32CPU: error: --allow-tf32: is for code of a device, found '--device=cpu'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --device=cuda --amp-no-scalar-fallback 2>&1 | FileCheck %s --check-prefix=SCALARCUDA
// SCALARCUDA: error: --amp-no-scalar-fallback: is for code of the CPU, found '--device=cuda'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --device=cpu --threads=2000 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: --threads: expected 0 to 1024, found 2000
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --policy-device=tpu 2>&1 | FileCheck %s --check-prefix=POLICY
// POLICY: error: --policy-device: expected cpu, cuda, xpu or mps, found 'tpu'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --device=cpu --dump-stage=kernels 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: --dump-stage: a program for the CPU has no stage 'kernels'; choose with --device

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
