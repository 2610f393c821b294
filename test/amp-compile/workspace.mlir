// What schedules of several launches hold between them lies in the planned arena: the partial results of long rows and of tall columns count in
// the bytes of a call, share memory with other buffers, and come from one allocation.

// RUN: rm -rf %t && mkdir %t
// RUN: amp-compile %s --target=sm_90a -o %t/m.so
// RUN: FileCheck %s --check-prefix=JSON < %t/m.json
// RUN: amp-run %s --entry=long_rows --device=cuda --dump-stage=gpu | FileCheck %s --check-prefix=ROWS --implicit-check-not=memref.alloc --implicit-check-not=memref.dealloc
// RUN: amp-run %s --entry=dynamic --device=cuda --dump-stage=gpu | FileCheck %s --check-prefix=DYNAMIC --implicit-check-not=memref.alloc

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
