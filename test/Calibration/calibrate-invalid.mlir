// What can be wrong with samples and options: one error each, before anything
// runs, which names the file and the argument, what was expected and found.
//
// RUN: rm -rf %t && mkdir -p %t && %python %S/Inputs/samples.py %t
// DEFINE: %{fails} = %python %S/../amp-run/Inputs/fails.py 2 amp-run %s --profile=%t/out.json --calibrate=
//
// RUN: amp-run %s --profile=%t/out.json --calibrate=%t/good.npz | FileCheck %s --check-prefix=GOOD
// GOOD: profile: samples=4 values=3 file='{{.*}}out.json'
//
// RUN: amp-run %s --profile=%t/out.json --calibrate=%t/labels.npz 2>&1 | FileCheck %s --check-prefix=LABELS
// LABELS: warning: '{{.*}}labels.npz': no argument takes the member 'y'
// LABELS: profile: samples=4
//
// RUN: amp-run %s --profile=%t/out.json --calibrate=%t/odd.npz 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: warning: '{{.*}}odd.npz', member 'x.npy': the last 1 of 7 rows are left out: argument 'x' takes 2 at a time
// ODD: profile: samples=3
//
// RUN: %{fails}%t/lacks.npz 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: error: argument 'k' has no input: the samples have no member of that name; give one that all samples share with --input or --weights, or name a member as --calibrate=k=FILE.npz:MEMBER
//
// RUN: %{fails}%t/strange.npz 2>&1 | FileCheck %s --check-prefix=STRANGE
// STRANGE: error: --calibrate: '{{.*}}strange.npz' has no member with the name of an argument; it has 'images'; the arguments are 'x', 'k'
//
// RUN: amp-run %s --profile=%t/out.json --calibrate=x=%t/strange.npz:images --input=k=%t/good.npz:k | FileCheck %s --check-prefix=GOOD
// RUN: %{fails}x=%t/strange.npz:x 2>&1 | FileCheck %s --check-prefix=MEMBER
// MEMBER: error: --calibrate: '{{.*}}strange.npz' has no member 'x'; it has 'images'
// RUN: %{fails}x=%t/strange.npz 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: holds several arrays; name one for argument 'x' as x={{.*}}strange.npz:MEMBER
// RUN: %{fails}z=%t/x.npy 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: error: --calibrate: no argument is called 'z'; the arguments are 'x', 'k'
//
// RUN: %{fails}%t/double.npz 2>&1 | FileCheck %s --check-prefix=DOUBLE
// DOUBLE: error: --calibrate: '{{.*}}double.npz', member 'x.npy' for argument 'x' of type tensor<2x3xf32>: expected elements of type float32, found float64; --convert-inputs converts them
// RUN: amp-run %s --convert-inputs --profile=%t/out.json --calibrate=%t/double.npz | FileCheck %s --check-prefix=GOOD
//
// RUN: %{fails}%t/shape.npz 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: member 'x.npy' for argument 'x' of type tensor<2x3xf32>: expected 2x3, or that with a leading dimension for the samples, found 8x4
// RUN: %{fails}%t/few.npz 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: expected 2x3, or that with a leading dimension for the samples, found 1x3: fewer rows than one sample needs
// RUN: %{fails}%t/counts.npz 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS: argument 'x' has 4 samples, and argument 'k' has 3; give inputs that all samples share with --input or --weights
// RUN: %{fails}%t/empty.npz 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: --calibrate: '{{.*}}empty.npz' has no samples
// RUN: %{fails}%t/fortran.npz 2>&1 | FileCheck %s --check-prefix=FORTRAN
// FORTRAN: the array lies in Fortran order, in which samples do not follow each other; save it with numpy.ascontiguousarray
// RUN: %{fails}%t/nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: --calibrate: the directory '{{.*}}nothing' has no .npz file; expected one for each sample
// RUN: %{fails}%t/none.npz 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: --calibrate: cannot read '{{.*}}none.npz': No such file or directory
// RUN: %{fails}%t/none 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: expected a directory of .npz files, FILE.npz, NAME=FILE.npz:MEMBER or NAME=FILE.npy, and there is no such file
// RUN: %{fails}%t/members 2>&1 | FileCheck %s --check-prefix=MEMBERS
// MEMBERS: error: --calibrate: '{{.*}}1.npz' gives the arguments 'x', but '{{.*}}0.npz' gives 'x', 'k'; all samples must have the same members
// RUN: %{fails}%t/text 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: --calibrate: '{{.*}}1.npz': not a .npz file: expected it to start with 'PK', found 'no a'
//
// Found while running: no profile is written.
// RUN: rm -f %t/none.json && %python %S/../amp-run/Inputs/fails.py 1 amp-run %s --profile=%t/none.json --calibrate=%t/damaged.npz 2>&1 | FileCheck %s --check-prefix=DAMAGED
// DAMAGED: error: '{{.*}}damaged.npz', member 'x.npy': the data is damaged: expected checksum 0x{{[0-9a-f]+}}, found 0x
// RUN: not ls %t/none.json
//
// RUN: %{fails}%t/good.npz --weights=%t/good.npz 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: argument 'x' of type tensor<2x3xf32> is bound twice: to '--calibrate={{.*}}good.npz' and to '{{.*}}good.npz', member 'x'
// RUN: %{fails}%t/good.npz --calibrate=x=%t/x.npy 2>&1 | FileCheck %s --check-prefix=TWICE2
// TWICE2: error: --calibrate: argument 'x' is bound twice: by '{{.*}}good.npz' and by 'x={{.*}}x.npy'
//
// RUN: %{fails}%t/good.npz --device=cuda 2>&1 | FileCheck %s --check-prefix=CUDA
// CUDA: error: --calibrate: values are observed on the CPU only; expected --device=cpu or auto, found 'cuda'
// RUN: %{fails}%t/good.npz --device=sim 2>&1 | FileCheck %s --check-prefix=SIM
// SIM: error: --calibrate: values are observed on the CPU only; expected --device=cpu or auto, found 'sim'
// RUN: %{fails}%t/good.npz --autocast=f16 2>&1 | FileCheck %s --check-prefix=AUTOCAST
// AUTOCAST: error: --calibrate: runs the program without autocast; leave --autocast out
// RUN: %{fails}%t/good.npz --compare=f32 2>&1 | FileCheck %s --check-prefix=COMPARE
// COMPARE: error: --compare: has no meaning with --calibrate, which prints no results
// RUN: %{fails}%t/good.npz --calibrate-batch=0 2>&1 | FileCheck %s --check-prefix=BATCH
// BATCH: error: --calibrate-batch: expected a number of at least 1, or all, found '0'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-run %s --calibrate=%t/good.npz 2>&1 | FileCheck %s --check-prefix=NOPROFILE
// NOPROFILE: error: --calibrate: expected --profile=FILE.json, where the ranges go
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-run --merge-profiles 2>&1 | FileCheck %s --check-prefix=MERGE
// MERGE: error: --merge-profiles: expected the names of profiles: amp-run --merge-profiles A.json B.json -o OUT.json
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-run --merge-profiles %t/out.json 2>&1 | FileCheck %s --check-prefix=MERGEOUT
// MERGEOUT: error: --merge-profiles: expected -o OUT.json
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-run --merge-profiles %t/x.npy -o %t/o.json 2>&1 | FileCheck %s --check-prefix=MERGEBAD
// MERGEBAD: error: '{{.*}}x.npy':1:{{[0-9]+}}: expected a profile as JSON
//
// An instrumented program runs on the CPU only.
// RUN: amp-opt %s --amp-instrument-ranges -o %t/instrumented.mlir
// RUN: amp-run %t/instrumented.mlir --device=cpu --random | FileCheck %s --check-prefix=RUNS
// RUNS: result result0: shape=2x3
// RUN: %python %S/../amp-run/Inputs/fails.py 1 amp-run %t/instrumented.mlir --device=cuda --dump-stage=llvm 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: instrumented.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'amp.observe' op runs on the CPU only: choose it with --device=cpu, or compile the program as it was before amp-instrument-ranges

func.func @main(%x: tensor<2x3xf32> {amp.name = "x"}, %k: tensor<3xf32> {amp.name = "k"}) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %k : tensor<2x3xf32>, tensor<3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
