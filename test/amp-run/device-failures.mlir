// What goes wrong on a device with --device=cuda, on the simulator's driver: one line each (beside the simulator's own, which begin with amp-sim), and exit code 1.
// UNSUPPORTED: sanitizer
// DEFINE: %{driver} = AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator%shlibext
// DEFINE: %{fails} = %python %S/Inputs/fails.py 1 amp-run %s --quiet --device=cuda
// DEFINE: %{check} = FileCheck %s --implicit-check-not={{.}} --input-file=%t.err --check-prefix

// Memory that is not there: for the first tensor, in the middle of a run, for inputs that stay on the device, and for weights.
// RUN: env %{driver} AMP_SIM_MEMORY=1000 AMP_SIM_LEAKS=1 %{fails} --entry=square --random --shape x=900 2> %t.err
// RUN: %{check}=MEMORY
// RUN: env %{driver} AMP_SIM_MEMORY=4000000 AMP_SIM_LEAKS=1 %{fails} --entry=square --random --shape x=900 2> %t.err
// RUN: %{check}=MEMORY
// RUN: env %{driver} AMP_SIM_MEMORY=4000000 AMP_SIM_LEAKS=1 AMP_SIM_DEFER=1 %{fails} --entry=square --random --shape x=900 --time=2 2> %t.err
// RUN: %{check}=MEMORY
// RUN: env %{driver} AMP_SIM_MEMORY=200 AMP_SIM_LEAKS=1 %{fails} --entry=weighted --random 2> %t.err
// RUN: %{check}=LOADED
// MEMORY: {{^}}amp-run: error: CUDA device 0 is out of memory: {{[0-9]+}} bytes asked for, {{[0-9]+}} of {{[0-9]+}} free, {{[0-9]+}} in use by this runtime: CUDA_ERROR_OUT_OF_MEMORY (out of memory){{$}}
// LOADED: {{^}}amp-run: error: {{.*}}CUDA device 0 is out of memory: {{.*}}CUDA_ERROR_OUT_OF_MEMORY (out of memory){{$}}

// A kernel that faults: where the run ends, or, on demand, at its launch.
// RUN: %python -c "import numpy as np; np.savez(r'%t.npz', table=np.arange(8, dtype=np.float32), at=np.array([7, 2**30, 3]))"
// RUN: env %{driver} %{fails} --entry=gather --weights=%t.npz 2>&1 | FileCheck %s --check-prefix=FAULT --implicit-check-not=amp-run:
// RUN: env %{driver} AMP_SIM_DEFER=1 %{fails} --entry=gather --weights=%t.npz 2>&1 | FileCheck %s --check-prefix=FAULT --implicit-check-not=amp-run:
// FAULT: amp-sim: error: kernel 'gather_gather_0', {{.*}} reads outside of its memref
// FAULT-NEXT: amp-run: error: cannot copy a result: a kernel faulted on CUDA device 0; the last one launched was 'gather_gather_0' ({{.*}}.mlir:{{[0-9]+}}:8); AMP_CUDA_SYNC=1 finds the one that faults: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered){{$}}
// RUN: env %{driver} AMP_CUDA_SYNC=1 %{fails} --entry=gather --weights=%t.npz 2>&1 | FileCheck %s --check-prefix=SYNC --implicit-check-not=amp-run:
// SYNC: amp-run: error: kernel 'gather_gather_0' ({{.*}}.mlir:{{[0-9]+}}:8): failed on the device: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered){{$}}

// A launch that the driver refuses: of the run, of the profile, and of a function of static shapes, whose second run is a graph.
// RUN: %cc -shared -fPIC -I%amp_src/lib/Runtime/CUDA %S/Inputs/failing-launch.c %amp_lib/libamp_cuda_simulator%shlibext -Wl,-rpath,%amp_lib -o %t%shlibext
// DEFINE: %{failing} = env AMP_CUDA_DRIVER=%t%shlibext
// RUN: %{failing} FAILING_LAUNCH=719 %{fails} --entry=square --random --shape x=9 2> %t.err
// RUN: %{check}=LAUNCH
// RUN: %{failing} FAILING_LAUNCH=719 %{fails} --entry=square --random --shape x=9 --profile-kernels 2> %t.err
// RUN: %{check}=LAUNCH
// LAUNCH: {{^}}amp-run: error: kernel 'square_{{.*}}' ({{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}): cannot be launched: CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure){{$}}
// RUN: %{failing} FAILING_LAUNCH=1 %{fails} --entry=weighted --random 2> %t.err
// RUN: %{check}=STATIC
// STATIC: {{^}}amp-run: error: {{.*}}kernel 'weighted{{.*}}' ({{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}): cannot be launched: CUDA_ERROR_INVALID_VALUE (invalid argument){{$}}

// Code for another architecture, and devices that there is no code for.
// RUN: env %{driver} AMP_SIM_CAPABILITY=80 %{fails} --entry=weighted --random --target=sm_90a 2>&1 | FileCheck %s --check-prefix=ARCH --implicit-check-not=amp-run:
// ARCH: amp-run: error: the code of 'weighted' could not be loaded: model 'main', compiled for sm_90a, cannot be loaded on CUDA device 0 of compute capability 8.0: CUDA_ERROR_NO_BINARY_FOR_GPU
// RUN: env %{driver} AMP_SIM_CAPABILITY=75 %{fails} --entry=weighted --random 2> %t.err
// RUN: %{check}=OLD
// OLD: {{^}}amp-run: error: --device=cuda: there is no code for CUDA device 0, 'amp simulator 0', of compute capability 7.5{{$}}
// RUN: env %{driver} AMP_SIM_CAPABILITY=75 amp-run %s --quiet --entry=weighted --random 2> %t.err
// RUN: %{check}=AUTO
// AUTO: {{^}}amp-run: remark: running on the CPU: there is no code for CUDA device 0, 'amp simulator 0', of compute capability 7.5{{$}}
// Code of the newest architecture before it of the same major version.
// RUN: env %{driver} AMP_SIM_CAPABILITY=88 amp-run %s --quiet --device=cuda --entry=weighted --random | FileCheck %s --check-prefix=RESULT
// RESULT: result result0: shape=16x16 type=f32

// No device, and another than there are.
// RUN: env %{driver} AMP_SIM_DEVICES=0 %{fails} --entry=weighted --random 2> %t.err
// RUN: %{check}=NONE
// NONE: {{^}}amp-run: error: --device=cuda: no CUDA device: {{.*}}CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected){{$}}
// RUN: env %{driver} AMP_SIM_DEVICES=2 %python %S/Inputs/fails.py 1 amp-run %s --quiet --device=cuda:2 --entry=weighted --random 2> %t.err
// RUN: %{check}=ORDINAL
// ORDINAL: {{^}}amp-run: error: --device=cuda: no CUDA device 2; this process sees 2, from 0 on{{$}}
// RUN: env %{driver} AMP_SIM_DEVICES=2 amp-run %s --quiet --device=cuda:1 --entry=weighted --random | FileCheck %s --check-prefix=RESULT

// The simulator's code on another driver, and the simulator with another driver.
// RUN: %cc -shared -fPIC -I%amp_src/lib/Runtime/CUDA %S/Inputs/other-driver.c %amp_lib/libamp_cuda_simulator%shlibext -Wl,-rpath,%amp_lib -o %t-other%shlibext
// RUN: env AMP_CUDA_DRIVER=%t-other%shlibext %{fails} --entry=weighted --random --target=sim 2> %t.err
// RUN: %{check}=OTHER
// OTHER: {{^}}amp-run: error: --target: 'sim' is for the simulator, not for CUDA device 0 (another device){{$}}
// RUN: env AMP_CUDA_DRIVER=%t-other%shlibext %python %S/Inputs/fails.py 1 amp-run %s --quiet --device=sim --entry=weighted --random 2> %t.err
// RUN: %{check}=SIM
// SIM: {{^}}amp-run: error: AMP_CUDA_DRIVER names another driver than the simulator's: '{{.*}}-other{{.*}}'{{$}}

#row = affine_map<(i) -> (i)>

// Indices are the caller's: nobody checks them but the device.
func.func @gather(%table: tensor<?xf32> {amp.name = "table"}, %at: tensor<?xindex> {amp.name = "at"}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xindex>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%at : tensor<?xindex>) outs(%e : tensor<?xf32>) {
  ^bb0(%i: index, %o: f32):
    %v = tensor.extract %table[%i] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// An n x n intermediate of n elements.
func.func @square(%x: tensor<?xf32> {amp.name = "x"}) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %outer = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %cube = linalg.matmul ins(%outer, %outer : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %cube : tensor<?x?xf32>
}

// Of static shapes, with a constant that the model brings along.
func.func @weighted(%x: tensor<16x4xf32>) -> tensor<16x16xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0],
                             [2.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0],
                             [3.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0],
                             [4.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]]> : tensor<4x16xf32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<16x4xf32>, tensor<4x16xf32>) outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
