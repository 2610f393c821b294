// Libraries for CUDA devices: what is in them and what they need, without a
// device. test/Python/device.py runs one on the simulator.
// UNSUPPORTED: sanitizer

// RUN: rm -rf %t && mkdir %t
// RUN: amp-compile %s --target=sm_90a -o %t/relu.so
// The driver is opened when it is used.
// RUN: readelf -dW %t/relu.so | grep NEEDED | not grep -v -e libc.so -e libm.so -e ld-linux
// RUN: readelf --dyn-syms -W %t/relu.so | grep GLOBAL | grep -v UND > %t/exports.txt
// RUN: not grep -v -e ' amp[A-Z]' -e ' amp_model$' -e ' relu_model$' %t/exports.txt
// RUN: FileCheck %s --check-prefix=EXPORTS < %t/exports.txt
// EXPORTS-DAG: ampModelRun
// EXPORTS-DAG: relu_model
// EXPORTS-DAG: amp_model
// RUN: FileCheck %s --check-prefix=JSON < %t/relu.json
// JSON: "target": "sm_90a",
// JSON: "name": "main",
// JSON: "name": "x",
// JSON-NEXT: "type": "f32",
// JSON-NEXT: "scalar": false,
// JSON-NEXT: "shape": [null]
// JSON: "kernels": [
// JSON: "name": "main_
// JSON-NEXT: "source": "{{.*}}device.mlir:{{[0-9]+}}:{{[0-9]+}}"
// RUN: FileCheck %s --check-prefix=HEADER < %t/relu.h
// HEADER: for target sm_90a.
// HEADER: extern const char relu_model[];

// Without a driver a library loads, tells what it is, and says what is missing.
// RUN: env AMP_CUDA_DRIVER=%t/none.so PYTHONPATH=%amp_src/python not %python -c "import amp_runtime; amp_runtime.load('%t/relu.so')" 2>&1 | FileCheck %s --check-prefix=DRIVER
// DRIVER: DeviceError: no CUDA driver: {{.*}}none.so: cannot open shared object file

// RUN: amp-compile %s --target=sm_80 --emit=ptx | FileCheck %s --check-prefix=PTX
// PTX: .target sm_80
// PTX: .entry main_
// PTX-NOT: griddepcontrol

// Where kernels may start early, each waits first, before its first access.
// RUN: amp-compile %s --target=sm_90a --emit=ptx | FileCheck %s --check-prefix=HOPPER
// HOPPER: .entry main_
// HOPPER-NOT: {{[[:space:]](ld|st)[.]global}}
// HOPPER: griddepcontrol.wait;
// HOPPER-NEXT: griddepcontrol.launch_dependents;
// HOPPER: ld.global
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s --emit=ptx 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: --emit=ptx: expected a CUDA device as --target, found 'cpu'
// RUN: amp-compile %s --target=sim --emit=mlir | FileCheck %s --check-prefix=MLIR
// MLIR: llvm.mlir.global{{.*}} @__model
// RUN: amp-compile %s --target=sm_80 --emit=llvm | FileCheck %s --check-prefix=LLVM
// LLVM: @amp_model = alias

func.func @main(%x: tensor<?xf32> {amp.name = "x"}) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%x : tensor<?xf32>) {
  ^bb0(%e: f32):
    %m = arith.maximumf %e, %zero : f32
    linalg.yield %m : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
