// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(amp-gpu-prepare-kernels))' | FileCheck %s

// A warp has 32 lanes: five steps.
// CHECK-LABEL: gpu.func @reduce
// CHECK-COUNT-5: gpu.shuffle xor {{.*}} : f32
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.subgroup_reduce
gpu.module @kernels {
  gpu.func @reduce(%x: f32) -> f32 {
    %0 = gpu.subgroup_reduce add %x : (f32) -> f32
    gpu.return %0 : f32
  }
}

// -----

// CHECK-LABEL: gpu.func @reduce_cluster_f64
// CHECK-COUNT-4: gpu.shuffle xor {{.*}} : i32
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.subgroup_reduce
gpu.module @kernels {
  gpu.func @reduce_cluster_f64(%x: f64) -> f64 {
    %0 = gpu.subgroup_reduce maxnumf %x cluster(size = 4) : (f64) -> f64
    gpu.return %0 : f64
  }
}

// -----

// The hardware moves words.
// CHECK-LABEL: gpu.func @shuffle_f16
// CHECK-SAME: %[[X:.*]]: f16, %[[L:.*]]: i32, %[[W:.*]]: i32
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : f16 to i16
// CHECK: %[[WORD:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK: %{{.*}}, %[[OK:.*]] = gpu.shuffle down %{{.*}}, %[[L]], %[[W]] : i32
// CHECK: %[[LOW:.*]] = arith.trunci {{.*}} : i32 to i16
// CHECK: %[[R:.*]] = arith.bitcast %[[LOW]] : i16 to f16
// CHECK: gpu.return %[[R]], %[[OK]]
gpu.module @kernels {
  gpu.func @shuffle_f16(%x: f16, %lane: i32, %width: i32) -> (f16, i1) {
    %0, %ok = gpu.shuffle down %x, %lane, %width : f16
    gpu.return %0, %ok : f16, i1
  }
}

// -----

// CHECK-LABEL: gpu.func @shuffle_vector
// CHECK: vector.bitcast %{{.*}} : vector<4xbf16> to vector<2xi32>
// CHECK-COUNT-2: gpu.shuffle idx {{.*}} : i32
// CHECK-NOT: gpu.shuffle
// CHECK: vector.bitcast %{{.*}} : vector<2xi32> to vector<4xbf16>
gpu.module @kernels {
  gpu.func @shuffle_vector(%x: vector<4xbf16>, %lane: i32, %width: i32) -> vector<4xbf16> {
    %0, %ok = gpu.shuffle idx %x, %lane, %width : vector<4xbf16>
    gpu.return %0 : vector<4xbf16>
  }
}

// -----

// What fits a word is left alone.
// CHECK-LABEL: gpu.func @shuffle_words
// CHECK: gpu.shuffle xor %{{.*}} : i32
// CHECK: gpu.shuffle xor %{{.*}} : f32
// CHECK-NOT: bitcast
gpu.module @kernels {
  gpu.func @shuffle_words(%x: i32, %y: f32, %lane: i32, %width: i32) -> (i32, f32) {
    %0, %ok = gpu.shuffle xor %x, %lane, %width : i32
    %1, %ok1 = gpu.shuffle xor %y, %lane, %width : f32
    gpu.return %0, %1 : i32, f32
  }
}

// -----

// Shared arrays can be read by vectors; an alignment that was asked for stays.
// CHECK-LABEL: gpu.func @shared
// CHECK-SAME: workgroup(%{{.*}} : memref<8xf16, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %{{.*}} : memref<8xf16, #gpu.address_space<workgroup>> {llvm.align = 128 : i64})
gpu.module @kernels {
  gpu.func @shared() workgroup(%a : memref<8xf16, #gpu.address_space<workgroup>>,
                               %b : memref<8xf16, #gpu.address_space<workgroup>> {llvm.align = 128 : i64}) kernel {
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @vectors
// CHECK-NOT: vector.transpose
// CHECK-NOT: vector.shape_cast
// CHECK-NOT: vector.transfer_read
// CHECK: vector.maskedload
gpu.module @kernels {
  gpu.func @vectors(%m: memref<?xf32, #gpu.address_space<global>>, %i: index) -> vector<4xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = vector.transfer_read %m[%i], %zero : memref<?xf32, #gpu.address_space<global>>, vector<4xf32>
    %1 = vector.shape_cast %0 : vector<4xf32> to vector<2x2xf32>
    %2 = vector.transpose %1, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
    %3 = vector.shape_cast %2 : vector<2x2xf32> to vector<4xf32>
    gpu.return %3 : vector<4xf32>
  }
}
