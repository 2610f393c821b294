// Without ptxas a library carries PTX, which the driver compiles as it loads it: it gets the whole text, kernels are found in it by name, and what the
// driver's compiler says against it comes through.
// UNSUPPORTED: sanitizer

// RUN: rm -rf %t && mkdir -p %t/bin
// RUN: %python -c "import os, shutil; found = shutil.which('ld.lld-22') or shutil.which('ld.lld') or shutil.which('cc'); os.symlink(found, '%t/bin/' + os.path.basename(found))"
// RUN: env -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT PATH=%t/bin %amp_obj/bin/amp-compile %s --target=sm_80 -o %t/m.so 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: ptxas was not found: PTX is embedded
// RUN: %cc -shared -fPIC -I%amp_src/lib/Runtime/CUDA %S/Inputs/jit-driver.c -o %t/jit.so -Wl,--no-as-needed -L%amp_lib -lamp_cuda_simulator -Wl,-rpath,%amp_lib
// RUN: env AMP_CUDA_DRIVER=%t/jit.so PYTHONPATH=%amp_src/python %python -c "import amp_runtime, numpy; amp_runtime.load('%t/m.so').functions['main'](numpy.ones(1000, numpy.float32))" 2>&1 | FileCheck %s
// CHECK: jit: .target sm_80
// CHECK-NEXT: jit: function main_
// CHECK-NEXT: jit: launch of {{[1-9][0-9]*}} blocks of {{[0-9]+}} threads
// RUN: env TEST_JIT_REFUSES="ptxas fatal : Unsupported .version" AMP_CUDA_DRIVER=%t/jit.so PYTHONPATH=%amp_src/python not %python -c "import amp_runtime; amp_runtime.load('%t/m.so')" 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: model 'm', compiled for sm_80, cannot be loaded on CUDA device 0 of compute capability {{[0-9.]+}}: ptxas fatal : Unsupported .version: {{.*}}

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.absf %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
