// What schedules of several launches hold between them lies in the planned arena: the partial results of long rows and of tall columns count in
// the bytes of a call, share memory with other buffers, and come from one allocation.

// RUN: rm -rf %t && mkdir %t
// RUN: amp-compile %s --target=sm_90a -o %t/m.so
// RUN: FileCheck %s --check-prefix=JSON < %t/m.json
// RUN: amp-run %s --entry=long_rows --device=cuda --dump-stage=gpu | FileCheck %s --check-prefix=ROWS --implicit-check-not=memref.alloc --implicit-check-not=memref.dealloc
// RUN: amp-run %s --entry=dynamic --device=cuda --dump-stage=gpu | FileCheck %s --check-prefix=DYNAMIC --implicit-check-not=memref.alloc

// Where the manifest cannot say, the library computes the bytes from the shapes, as it does when it runs; no device is needed.
// DEFINE: %{ask} = env PYTHONPATH=%amp_src/python %python %S/Inputs/workspace.py %t/m.so
// RUN: %{ask} long_rows 2 2000000 | FileCheck %s --check-prefix=STATIC
// RUN: %{ask} dynamic 100000 64 > %t/dynamic.txt
// RUN: %{ask} same_static 100000 64 > %t/static.txt
// RUN: diff %t/dynamic.txt %t/static.txt
// RUN: FileCheck %s --check-prefix=TALL < %t/dynamic.txt
// RUN: %{ask} dynamic 0 64 | FileCheck %s --check-prefix=EMPTY
// RUN: %{ask} chosen 9 64 | FileCheck %s --check-prefix=CHOSEN
// RUN: %{ask} dynamic 100000 63 | FileCheck %s --check-prefix=SHAPE
// RUN: amp-compile %s --entry=dynamic -o %t/cpu.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/workspace.py %t/cpu.so dynamic 8 64 | FileCheck %s --check-prefix=CHOSEN
// STATIC: {{^}}1280 bytes
// TALL: {{^}}{{[1-9][0-9]+}} bytes
// EMPTY: {{^}}{{[0-9]+}} bytes
// CHOSEN: {{^}}-1 bytes
// SHAPE: status 1: 'dynamic': argument 0 must have size 64 in dimension 1, but has 63

// Two rows in 132 parts of four bytes, in units of 256.
// ROWS: func.func @long_rows({{.*}}amp.memory_plan = {num_slots = 0 : i64, offsets = array<i64: 0>, peak_bytes = 1280 : i64, slots = array<i64: -1>, total_bytes = 1280 : i64}
// ROWS: %[[ARENA:.*]] = memref.alloc() {alignment = 256 : i64} : memref<1280xi8, #gpu.address_space<global>>
// ROWS: memref.alloc() {{.*}}: memref<2xf32, #gpu.address_space<global>>
// ROWS: memref.view %[[ARENA]]{{.*}} to memref<2x132xf32, #gpu.address_space<global>>
// ROWS: gpu.launch_func{{ *}}@kernels::@{{.*}}part0
// ROWS: gpu.launch_func{{ *}}@kernels::@{{.*}}part1
// ROWS: memref.dealloc %[[ARENA]]

// The size of the arena is computed at run time.
// DYNAMIC: func.func @dynamic({{.*}}amp.memory_plan = {num_slots = 1 : i64
// DYNAMIC: %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 256 : i64} : memref<?xi8, #gpu.address_space<global>>
// DYNAMIC: memref.alloc() {{.*}}: memref<64xf32, #gpu.address_space<global>>
// DYNAMIC: memref.view %[[ARENA]]{{.*}} to memref<?x64xf32, #gpu.address_space<global>>
// DYNAMIC: memref.dealloc %[[ARENA]]

// JSON: "name": "long_rows"
// JSON: "workspace_bytes": 1280
// JSON: "name": "dynamic"
// JSON: "workspace_bytes": null

func.func @long_rows(%x: tensor<2x2000000xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<2x2000000xf32>) outs(%f : tensor<2xf32>) dimensions = [1]
  return %0 : tensor<2xf32>
}

func.func @dynamic(%x: tensor<?x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<?x64xf32>) outs(%f : tensor<64xf32>) dimensions = [0]
  return %0 : tensor<64xf32>
}

func.func @same_static(%x: tensor<100000x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<100000x64xf32>) outs(%f : tensor<64xf32>) dimensions = [0]
  return %0 : tensor<64xf32>
}

// How many rows are read, and so the number of partial results, is an element of the argument.
func.func @chosen(%x: tensor<?x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0 : index
  %v = tensor.extract %x[%zero, %zero] : tensor<?x64xf32>
  %i = arith.fptosi %v : f32 to i64
  %n = arith.index_cast %i : i64 to index
  %rows = tensor.extract_slice %x[0, 0] [%n, 64] [1, 1] : tensor<?x64xf32> to tensor<?x64xf32>
  %s = tensor.empty() : tensor<64xf32>
  %c = arith.constant 0.0 : f32
  %f = linalg.fill ins(%c : f32) outs(%s : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.reduce {arith.addf} ins(%rows : tensor<?x64xf32>) outs(%f : tensor<64xf32>) dimensions = [0]
  return %0 : tensor<64xf32>
}
