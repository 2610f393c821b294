# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# Everything but contractions: elementwise, reductions, softmax, convolutions, pooling, data movement, control flow, and what
# functions may return. Oracle: NumPy in f64. Bounds, absolute and relative: the polynomials' few ulp for f32 functions (2e-6), output rounding
# for f16 (2e-3) and bf16 (2e-2), 1e-5 for f32 sums of up to 2304 products, equality for data movement.
# CHECK-NOT: FAILED
# CHECK: all passed
import ctypes
import math

import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(0)
suite = Suite()


def f(*shape):
    return rng.standard_normal(shape).astype(np.float32)


x=f(37,1000); e=np.exp(x.astype(np.float64)-x.max(1,keepdims=True)); sm=e/e.sum(1,keepdims=True)
suite.add("softmax","""func.func @softmax(%x: tensor<37x1000xf32>) -> tensor<37x1000xf32> {
 %e = tensor.empty() : tensor<37x1000xf32>
 %r = linalg.softmax dimension(1) ins(%x : tensor<37x1000xf32>) outs(%e : tensor<37x1000xf32>) -> tensor<37x1000xf32>
 return %r : tensor<37x1000xf32> }""",[x],[("f32",2)],[sm],2e-6)
suite.add("softmaxd","""func.func @softmaxd(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
 %c0 = arith.constant 0 : index
 %c1 = arith.constant 1 : index
 %m = tensor.dim %x, %c0 : tensor<?x?xf32>
 %n = tensor.dim %x, %c1 : tensor<?x?xf32>
 %e = tensor.empty(%m,%n) : tensor<?x?xf32>
 %r = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
 return %r : tensor<?x?xf32> }""",[x],[("f32",2)],[sm],2e-6)
# gelu bf16 elementwise on tensors with bias broadcast generic
for ty,tol in (("f32",2e-6),("f16",2e-3),("bf16",2e-2),("f64",1e-12)):
    a=narrow(f(13,50).astype(np.float64),ty); w=widen(a,ty); 
    suite.add("ew_"+ty,f"""func.func @ew_{ty}(%x: tensor<13x50x{ty}>) -> tensor<13x50x{ty}> {{
 %0 = math.exp %x : tensor<13x50x{ty}>
 %1 = arith.addf %0, %x : tensor<13x50x{ty}>
 %2 = math.tanh %1 : tensor<13x50x{ty}>
 return %2 : tensor<13x50x{ty}> }}""",[a],[(ty,2)],[np.tanh(np.exp(w)+w)],tol)
x=f(4,6,10,8); b=f(8)
suite.add("biasrelu","""func.func @biasrelu(%x: tensor<4x6x10x8xf32>, %b: tensor<8xf32>) -> tensor<4x6x10x8xf32> {
 %e = tensor.empty() : tensor<4x6x10x8xf32>
 %z = arith.constant 0.0 : f32
 %0 = linalg.generic {indexing_maps=[affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types=["parallel","parallel","parallel","parallel"]} ins(%x,%b: tensor<4x6x10x8xf32>, tensor<8xf32>) outs(%e: tensor<4x6x10x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
   %s = arith.addf %i, %j : f32
   linalg.yield %s : f32 } -> tensor<4x6x10x8xf32>
 %1 = linalg.generic {indexing_maps=[affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types=["parallel","parallel","parallel","parallel"]} ins(%0: tensor<4x6x10x8xf32>) outs(%e: tensor<4x6x10x8xf32>) {
  ^bb0(%i: f32, %o: f32):
   %s = arith.maximumf %i, %z : f32
   linalg.yield %s : f32 } -> tensor<4x6x10x8xf32>
 return %1 : tensor<4x6x10x8xf32> }""",[x,b],[("f32",4)],[np.maximum(x.astype(np.float64)+b,0)],1e-6)
# reductions
x=f(33,65)
for nm,red,op,w in (("sumrow","[1]","arith.addf",x.astype(np.float64).sum(1)),("sumcol","[0]","arith.addf",x.astype(np.float64).sum(0)),("maxrow","[1]","arith.maximumf",x.max(1))):
    n=len(w); init="0.0" if "add" in op else "0xFF800000"
    suite.add(nm,f"""func.func @{nm}(%x: tensor<33x65xf32>) -> tensor<{n}xf32> {{
 %z = arith.constant {init} : f32
 %e = tensor.empty() : tensor<{n}xf32>
 %f = linalg.fill ins(%z: f32) outs(%e: tensor<{n}xf32>) -> tensor<{n}xf32>
 %r = linalg.reduce ins(%x: tensor<33x65xf32>) outs(%f: tensor<{n}xf32>) dimensions = {red} (%a: f32, %b: f32) {{ %s = {op} %a, %b : f32
  linalg.yield %s : f32 }}
 return %r : tensor<{n}xf32> }}""",[x],[("f32",1)],[w],1e-5)
suite.add("sumall","""func.func @sumall(%x: tensor<33x65xf32>) -> tensor<f32> {
 %z = arith.constant 1.0 : f32
 %e = tensor.empty() : tensor<f32>
 %f = linalg.fill ins(%z: f32) outs(%e: tensor<f32>) -> tensor<f32>
 %r = linalg.reduce ins(%x: tensor<33x65xf32>) outs(%f: tensor<f32>) dimensions = [0,1] (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32
  linalg.yield %s : f32 }
 return %r : tensor<f32> }""",[x],[("f32",0)],[x.astype(np.float64).sum()+1],1e-5)
x=f(33,65)
suite.add("transp","""func.func @transp(%x: tensor<33x65xf32>) -> tensor<65x33xf32> {
 %e = tensor.empty() : tensor<65x33xf32>
 %r = linalg.transpose ins(%x: tensor<33x65xf32>) outs(%e: tensor<65x33xf32>) permutation=[1,0]
 return %r : tensor<65x33xf32> }""",[x],[("f32",2)],[x.T],0)
# conv
def conv_nhwc(x,w,s,d=1):
    n,h,wd,c=x.shape; kh,kw,_,fo=w.shape; oh=(h-(kh-1)*d-1)//s+1; ow=(wd-(kw-1)*d-1)//s+1
    o=np.zeros((n,oh,ow,fo))
    for i in range(kh):
        for j in range(kw):
            o+=np.einsum("nhwc,cf->nhwf",x[:,i*d:i*d+(oh-1)*s+1:s,j*d:j*d+(ow-1)*s+1:s].astype(np.float64),w[i,j].astype(np.float64))
    return o
for s,d in ((1,1),(2,1),(1,2)):
  for (h,c,fo) in ((14,3,8),(17,16,32)):
    x=f(2,h,h,c); w=f(3,3,c,fo)*0.1; o=conv_nhwc(x,w,s,d); oh=o.shape[1]
    suite.add(f"conv_nhwc_{s}{d}_{c}",f"""func.func @conv_nhwc_{s}{d}_{c}(%x: {tensor(x.shape, 'f32')}, %w: {tensor(w.shape, 'f32')}) -> {tensor(o.shape, 'f32')} {{
 %z = arith.constant 0.0 : f32
 %e = tensor.empty() : {tensor(o.shape, 'f32')}
 %f = linalg.fill ins(%z: f32) outs(%e: {tensor(o.shape, 'f32')}) -> {tensor(o.shape, 'f32')}
 %r = linalg.conv_2d_nhwc_hwcf {{strides=dense<{s}>:tensor<2xi64>, dilations=dense<{d}>:tensor<2xi64>}} ins(%x,%w: {tensor(x.shape, 'f32')}, {tensor(w.shape, 'f32')}) outs(%f: {tensor(o.shape, 'f32')}) -> {tensor(o.shape, 'f32')}
 return %r : {tensor(o.shape, 'f32')} }}""",[x,w],[("f32",4)],[o],1e-5)
    x2=np.ascontiguousarray(x.transpose(0,3,1,2)); w2=np.ascontiguousarray(w.transpose(3,2,0,1)); o2=o.transpose(0,3,1,2)
    nm=f"conv_nchw_{s}{d}_{c}"
    suite.add(nm,f"""func.func @{nm}(%x: {tensor(x2.shape, 'f32')}, %w: {tensor(w2.shape, 'f32')}) -> {tensor(o2.shape, 'f32')} {{
 %z = arith.constant 0.0 : f32
 %e = tensor.empty() : {tensor(o2.shape, 'f32')}
 %f = linalg.fill ins(%z: f32) outs(%e: {tensor(o2.shape, 'f32')}) -> {tensor(o2.shape, 'f32')}
 %r = linalg.conv_2d_nchw_fchw {{strides=dense<{s}>:tensor<2xi64>, dilations=dense<{d}>:tensor<2xi64>}} ins(%x,%w: {tensor(x2.shape, 'f32')}, {tensor(w2.shape, 'f32')}) outs(%f: {tensor(o2.shape, 'f32')}) -> {tensor(o2.shape, 'f32')}
 return %r : {tensor(o2.shape, 'f32')} }}""",[x2,w2],[("f32",4)],[o2],1e-5)
# depthwise + pooling with pad
x=f(2,11,11,20); w=f(3,3,20)
o=np.zeros((2,9,9,20))
for i in range(3):
    for j in range(3): o+=x[:,i:i+9,j:j+9].astype(np.float64)*w[i,j]
suite.add("dw","""func.func @dw(%x: tensor<2x11x11x20xf32>, %w: tensor<3x3x20xf32>) -> tensor<2x9x9x20xf32> {
 %z = arith.constant 0.0 : f32
 %e = tensor.empty() : tensor<2x9x9x20xf32>
 %f = linalg.fill ins(%z: f32) outs(%e: tensor<2x9x9x20xf32>) -> tensor<2x9x9x20xf32>
 %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x,%w: tensor<2x11x11x20xf32>, tensor<3x3x20xf32>) outs(%f: tensor<2x9x9x20xf32>) -> tensor<2x9x9x20xf32>
 return %r : tensor<2x9x9x20xf32> }""",[x,w],[("f32",4)],[o],1e-5)
xp=np.pad(x,((0,0),(1,2),(1,2),(0,0)),constant_values=-3)
p=np.max([xp[:,i:i+12:2,j:j+12:2] for i in range(2) for j in range(2)],axis=0)[:, :7,:7]
oh=(14-2)//2+1
p=np.max([xp[:,i:i+2*oh-1:2,j:j+2*oh-1:2] for i in range(2) for j in range(2)],axis=0)
suite.add("padpool",f"""func.func @padpool(%x: tensor<2x11x11x20xf32>) -> tensor<2x{oh}x{oh}x20xf32> {{
 %m = arith.constant -3.0 : f32
 %p = tensor.pad %x low[0,1,1,0] high[0,2,2,0] {{ ^bb0(%a: index, %b: index, %c: index, %d: index): tensor.yield %m : f32 }} : tensor<2x11x11x20xf32> to tensor<2x14x14x20xf32>
 %ninf = arith.constant 0xFF800000 : f32
 %win = tensor.empty() : tensor<2x2xf32>
 %e = tensor.empty() : tensor<2x{oh}x{oh}x20xf32>
 %f = linalg.fill ins(%ninf: f32) outs(%e: tensor<2x{oh}x{oh}x20xf32>) -> tensor<2x{oh}x{oh}x20xf32>
 %r = linalg.pooling_nhwc_max {{strides=dense<2>:tensor<2xi64>, dilations=dense<1>:tensor<2xi64>}} ins(%p,%win: tensor<2x14x14x20xf32>, tensor<2x2xf32>) outs(%f: tensor<2x{oh}x{oh}x20xf32>) -> tensor<2x{oh}x{oh}x20xf32>
 return %r : tensor<2x{oh}x{oh}x20xf32> }}""",[x],[("f32",4)],[p],0)
# one window of an image that is larger than it
x=f(4,8,6,6); q=f(4,8,1,1)
suite.add("onepool","""func.func @onepool(%x: tensor<4x8x6x6xf32>, %q: tensor<4x8x1x1xf32>) -> tensor<4x8x1x1xf32> {
 %z = arith.constant 0.0 : f32
 %e = tensor.empty() : tensor<4x8x1x1xf32>
 %k = tensor.empty() : tensor<5x5xf32>
 %i = linalg.fill ins(%z : f32) outs(%e : tensor<4x8x1x1xf32>) -> tensor<4x8x1x1xf32>
 %r = linalg.pooling_nchw_sum {strides = dense<[5, 3]> : tensor<2xi64>} ins(%x, %k : tensor<4x8x6x6xf32>, tensor<5x5xf32>) outs(%i : tensor<4x8x1x1xf32>) -> tensor<4x8x1x1xf32>
 %s = arith.addf %r, %q : tensor<4x8x1x1xf32>
 return %s : tensor<4x8x1x1xf32> }""",[x,q],[("f32",4)],[x[:,:,:5,:5].astype(np.float64).sum((2,3),keepdims=True)+q],1e-5)
# batch matmul transposed b, attention-like
q=f(3,17,24); k=f(3,19,24)
suite.add("bmmt","""func.func @bmmt(%q: tensor<3x17x24xf32>, %k: tensor<3x19x24xf32>) -> tensor<3x17x19xf32> {
 %z = arith.constant 0.0 : f32
 %e = tensor.empty() : tensor<3x17x19xf32>
 %f = linalg.fill ins(%z: f32) outs(%e: tensor<3x17x19xf32>) -> tensor<3x17x19xf32>
 %r = linalg.batch_matmul indexing_maps=[affine_map<(b,m,n,k)->(b,m,k)>,affine_map<(b,m,n,k)->(b,n,k)>,affine_map<(b,m,n,k)->(b,m,n)>] ins(%q,%k: tensor<3x17x24xf32>, tensor<3x19x24xf32>) outs(%f: tensor<3x17x19xf32>) -> tensor<3x17x19xf32>
 return %r : tensor<3x17x19xf32> }""",[q,k],[("f32",3)],[np.einsum("bmk,bnk->bmn",q.astype(np.float64),k)],1e-5)
q=f(5,40,24,2,); 
a=f(6,30,50); bb=f(50,40); ini=f(6,30,40)
suite.add("contract3","""func.func @contract3(%a: tensor<6x30x50xf32>, %b: tensor<50x40xf32>, %c: tensor<6x30x40xf32>) -> tensor<6x30x40xf32> {
 %r = linalg.contract indexing_maps=[affine_map<(b,m,n,k)->(b,m,k)>,affine_map<(b,m,n,k)->(k,n)>,affine_map<(b,m,n,k)->(b,m,n)>] ins(%a,%b: tensor<6x30x50xf32>, tensor<50x40xf32>) outs(%c: tensor<6x30x40xf32>) -> tensor<6x30x40xf32>
 return %r : tensor<6x30x40xf32> }""",[a,bb,ini],[("f32",3)],[a.astype(np.float64)@bb+ini],1e-5)
at=np.ascontiguousarray(a.transpose(0,2,1))
suite.add("contractAT","""func.func @contractAT(%a: tensor<6x50x30xf32>, %b: tensor<50x40xf32>, %c: tensor<6x30x40xf32>) -> tensor<6x30x40xf32> {
 %r = linalg.contract indexing_maps=[affine_map<(b,m,n,k)->(b,k,m)>,affine_map<(b,m,n,k)->(k,n)>,affine_map<(b,m,n,k)->(b,m,n)>] ins(%a,%b: tensor<6x50x30xf32>, tensor<50x40xf32>) outs(%c: tensor<6x30x40xf32>) -> tensor<6x30x40xf32>
 return %r : tensor<6x30x40xf32> }""",[at,bb,ini],[("f32",3)],[a.astype(np.float64)@bb+ini],1e-5)
# results
x=f(5,6)
suite.add("ident","""func.func @ident(%x: tensor<5x6xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>, tensor<30xf32>, tensor<2xf32>) {
 %c = tensor.collapse_shape %x [[0,1]] : tensor<5x6xf32> into tensor<30xf32>
 %k = arith.constant dense<[1.0,2.0]> : tensor<2xf32>
 return %x, %x, %c, %k : tensor<5x6xf32>, tensor<5x6xf32>, tensor<30xf32>, tensor<2xf32> }""",[x],[("f32",2),("f32",2),("f32",1),("f32",1)],[x,x,x.ravel(),[1,2]],0)
suite.add("dupl","""func.func @dupl(%x: tensor<5x6xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>, tensor<2x6xf32>) {
 %0 = arith.addf %x, %x : tensor<5x6xf32>
 %1 = tensor.extract_slice %0[1,0][2,6][1,1] : tensor<5x6xf32> to tensor<2x6xf32>
 return %0, %0, %1 : tensor<5x6xf32>, tensor<5x6xf32>, tensor<2x6xf32> }""",[x],[("f32",2),("f32",2),("f32",2)],[2*x,2*x,2*x[1:3]],0)
suite.add("slice","""func.func @slice(%x: tensor<5x6xf32>) -> tensor<3x2xf32> {
 %0 = arith.addf %x, %x : tensor<5x6xf32>
 %1 = tensor.extract_slice %0[1,2][3,2][1,2] : tensor<5x6xf32> to tensor<3x2xf32>
 return %1 : tensor<3x2xf32> }""",[x],[("f32",2)],[2*x[1:4,2:6:2]],0)
suite.add("concat","""func.func @concat(%x: tensor<5x6xf32>, %y: tensor<5x3xf32>) -> tensor<5x9xf32> {
 %1 = tensor.concat dim(1) %x, %y : (tensor<5x6xf32>, tensor<5x3xf32>) -> tensor<5x9xf32>
 return %1 : tensor<5x9xf32> }""",[x,x[:,:3].copy()],[("f32",2)],[np.concatenate([x,x[:,:3]],1)],0)
suite.add("ifelse","""func.func @ifelse(%x: tensor<5x6xf32>, %y: tensor<5x6xf32>, %c: i1) -> tensor<5x6xf32> {
 %r = scf.if %c -> tensor<5x6xf32> { %0 = arith.addf %x, %y : tensor<5x6xf32>
  scf.yield %0 : tensor<5x6xf32> } else { scf.yield %y : tensor<5x6xf32> }
 return %r : tensor<5x6xf32> }""",[x,x,ctypes.c_bool(False)],[("f32",2)],[x],0)
# Whole tensors of two sizes, given and computed: both are right, and nothing of the other leaks.
for name, choice, size in [("first",True,3), ("second",False,7)]:
    u,v=f(3,6),f(7,6)
    suite.add(f"select_{name}",f"""func.func @select_{name}(%c: i1, %x: tensor<?x6xf32>, %y: tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>) {{
 %0 = arith.select %c, %x, %y : tensor<?x6xf32>
 %p = arith.addf %x, %x : tensor<?x6xf32>
 %q = arith.mulf %y, %y : tensor<?x6xf32>
 %1 = arith.select %c, %p, %q : tensor<?x6xf32>
 %2 = arith.addf %1, %0 : tensor<?x6xf32>
 return %0, %1, %2 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32> }}""",[ctypes.c_bool(choice),u,v],[("f32",2)]*3,[u,2*u,3*u] if choice else [v,v*v,v*v+v],0)
# Sizes that some types know and others do not.
u,w=f(5,30),f(30,17)
suite.add("known","""func.func @known(%x: tensor<5x30xf32>, %w: tensor<30x17xf32>) -> (tensor<?x17xf32>, tensor<?x30xf32>) {
 %z = arith.constant 0.0 : f32
 %m = arith.constant 5 : index
 %e = tensor.empty(%m) : tensor<?x17xf32>
 %c = linalg.fill ins(%z : f32) outs(%e : tensor<?x17xf32>) -> tensor<?x17xf32>
 %0 = linalg.matmul ins(%x, %w : tensor<5x30xf32>, tensor<30x17xf32>) outs(%c : tensor<?x17xf32>) -> tensor<?x17xf32>
 %1 = arith.mulf %0, %0 : tensor<?x17xf32>
 %f = tensor.empty() : tensor<5x30xf32>
 %g = tensor.cast %f : tensor<5x30xf32> to tensor<?x30xf32>
 %2 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%x: tensor<5x30xf32>) outs(%g: tensor<?x30xf32>) {
  ^bb0(%a: f32, %b: f32):
   %v = arith.addf %a, %a : f32
   linalg.yield %v : f32 } -> tensor<?x30xf32>
 %3 = arith.mulf %2, %2 : tensor<?x30xf32>
 return %1, %3 : tensor<?x17xf32>, tensor<?x30xf32> }""",[u,w],[("f32",2)]*2,[(u.astype(np.float64)@w)**2,4*u.astype(np.float64)**2],1e-4)
suite.add("loop","""func.func @loop(%x: tensor<5x6xf32>) -> tensor<5x6xf32> {
 %c0 = arith.constant 0 : index
 %c1 = arith.constant 1 : index
 %c7 = arith.constant 7 : index
 %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %x) -> tensor<5x6xf32> { %0 = arith.addf %a, %x : tensor<5x6xf32>
  scf.yield %0 : tensor<5x6xf32> }
 return %r : tensor<5x6xf32> }""",[x],[("f32",2)],[8*x.astype(np.float64)],1e-6)
suite.add("call","""func.func private @g(%x: tensor<5x6xf32>) -> tensor<5x6xf32> { %0 = arith.mulf %x, %x : tensor<5x6xf32>
 return %0 : tensor<5x6xf32> }
func.func @call(%x: tensor<5x6xf32>) -> tensor<5x6xf32> {
 %0 = func.call @g(%x) : (tensor<5x6xf32>) -> tensor<5x6xf32>
 %1 = func.call @g(%0) : (tensor<5x6xf32>) -> tensor<5x6xf32>
 return %1 : tensor<5x6xf32> }""",[x],[("f32",2)],[x.astype(np.float64)**4],1e-5)
suite.add("cmp","""func.func @cmp(%x: tensor<5x6xf32>, %y: tensor<5x6xf32>) -> (tensor<5x6xi1>, tensor<5x6xf32>) {
 %0 = arith.cmpf ogt, %x, %y : tensor<5x6xf32>
 %1 = arith.select %0, %x, %y : tensor<5x6xi1>, tensor<5x6xf32>
 return %0, %1 : tensor<5x6xi1>, tensor<5x6xf32> }""",[x,-x],[("i1",2),("f32",2)],[x>-x,np.abs(x)],0)
suite.add("argmax","""func.func @argmax(%x: tensor<5x6xf32>) -> tensor<5xi64> {
 %m = arith.constant 0xFF800000 : f32
 %z = arith.constant 0 : i64
 %e = tensor.empty() : tensor<5xf32>
 %ei = tensor.empty() : tensor<5xi64>
 %f = linalg.fill ins(%m: f32) outs(%e: tensor<5xf32>) -> tensor<5xf32>
 %fi = linalg.fill ins(%z: i64) outs(%ei: tensor<5xi64>) -> tensor<5xi64>
 %r:2 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(i)>,affine_map<(i,j)->(i)>], iterator_types=["parallel","reduction"]} ins(%x: tensor<5x6xf32>) outs(%f,%fi: tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%a: f32, %b: f32, %c: i64):
   %i = linalg.index 1 : index
   %ii = arith.index_cast %i : index to i64
   %g = arith.cmpf ogt, %a, %b : f32
   %v = arith.select %g, %a, %b : f32
   %w = arith.select %g, %ii, %c : i64
   linalg.yield %v, %w : f32, i64 } -> (tensor<5xf32>, tensor<5xi64>)
 return %r#1 : tensor<5xi64> }""",[x],[("i64",1)],[x.argmax(1)],0)
suite.add("gather","""func.func @gather(%x: tensor<5x6xf32>, %i: tensor<9xi64>) -> tensor<9x6xf32> {
 %e = tensor.empty() : tensor<9x6xf32>
 %r = linalg.generic {indexing_maps=[affine_map<(i,j)->(i)>,affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%i: tensor<9xi64>) outs(%e: tensor<9x6xf32>) {
  ^bb0(%a: i64, %b: f32):
   %k = arith.index_cast %a : i64 to index
   %j = linalg.index 1 : index
   %v = tensor.extract %x[%k,%j] : tensor<5x6xf32>
   linalg.yield %v : f32 } -> tensor<9x6xf32>
 return %r : tensor<9x6xf32> }""",[x,np.array([0,4,3,2,1,0,0,4,4])],[("f32",2)],[x[[0,4,3,2,1,0,0,4,4]]],0)
x=f(33,17)
suite.add("packun","""func.func @packun(%x: tensor<33x17xf32>) -> tensor<33x17xf32> {
 %z = arith.constant 0.0 : f32
 %e = tensor.empty() : tensor<5x3x8x6xf32>
 %p = linalg.pack %x padding_value(%z: f32) inner_dims_pos=[0,1] inner_tiles=[8,6] into %e : tensor<33x17xf32> -> tensor<5x3x8x6xf32>
 %q = math.absf %p : tensor<5x3x8x6xf32>
 %e2 = tensor.empty() : tensor<33x17xf32>
 %u = linalg.unpack %q inner_dims_pos=[0,1] inner_tiles=[8,6] into %e2 : tensor<5x3x8x6xf32> -> tensor<33x17xf32>
 return %u : tensor<33x17xf32> }""",[x],[("f32",2)],[np.abs(x)],0)
x=f(11,75); at=rng.integers(0,11,23)
suite.add("table","""func.func @table(%x: tensor<11x75xf32>, %i: tensor<23xi64>) -> tensor<23x75xf32> {
 %e = tensor.empty() : tensor<23x75xf32>
 %r = linalg.generic {indexing_maps=[affine_map<(i,j)->(i)>,affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%i: tensor<23xi64>) outs(%e: tensor<23x75xf32>) {
  ^bb0(%a: i64, %b: f32):
   %k = arith.index_cast %a : i64 to index
   %j = linalg.index 1 : index
   %v = tensor.extract %x[%k,%j] : tensor<11x75xf32>
   %w = arith.addf %v, %v : f32
   linalg.yield %w : f32 } -> tensor<23x75xf32>
 return %r : tensor<23x75xf32> }""",[x,at],[("f32",2)],[2*x[at]],0)
columns=rng.integers(0,75,(11,20))
suite.add("elements","""func.func @elements(%x: tensor<11x75xf32>, %i: tensor<11x20xi64>) -> tensor<11x20xf32> {
 %e = tensor.empty() : tensor<11x20xf32>
 %r = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%i: tensor<11x20xi64>) outs(%e: tensor<11x20xf32>) {
  ^bb0(%a: i64, %b: f32):
   %k = arith.index_cast %a : i64 to index
   %j = linalg.index 0 : index
   %v = tensor.extract %x[%j,%k] : tensor<11x75xf32>
   linalg.yield %v : f32 } -> tensor<11x20xf32>
 return %r : tensor<11x20xf32> }""",[x,columns],[("f32",2)],[np.take_along_axis(x,columns,1)],0,scalar="each lane has an index of its own")
suite.add("scalar","""func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
 %0 = math.exp %x : tensor<f32>
 return %0 : tensor<f32> }""",[np.array(1.5,np.float32)],[("f32",0)],[np.exp(1.5)],1e-6)
suite.add("generate","""func.func @generate(%n: index) -> tensor<?xf32> {
 %0 = tensor.generate %n { ^bb0(%i: index): %a = arith.index_cast %i : index to i32
  %b = arith.sitofp %a : i32 to f32
  tensor.yield %b : f32 } : tensor<?xf32>
 return %0 : tensor<?xf32> }""",[ctypes.c_int64(5)],[("f32",1)],[np.arange(5.)],0)
lx,ly=f(50),f(50).astype(np.float64); wx=lx.astype(np.float64)
suite.add("libm","""func.func @libm(%x: tensor<50xf32>, %y: tensor<50xf64>) -> (tensor<50xf32>, tensor<50xf64>) {
 %0 = math.sin %x : tensor<50xf32>
 %1 = math.sinh %0 : tensor<50xf32>
 %2 = math.erf %y : tensor<50xf64>
 %3 = math.atan2 %2, %y : tensor<50xf64>
 return %1, %3 : tensor<50xf32>, tensor<50xf64> }""",[lx,ly],[("f32",1),("f64",1)],[np.sinh(np.sin(wx)),np.arctan2([math.erf(v) for v in ly],ly)],1e-6)

x = f(40, 70)
suite.add("perm", """func.func @perm(%x: tensor<40x70xf32>) -> tensor<70x40xf32> {
 %e = tensor.empty() : tensor<70x40xf32>
 %r = linalg.transpose ins(%x: tensor<40x70xf32>) outs(%e: tensor<70x40xf32>) permutation=[1,0]
 %0 = arith.addf %r, %r : tensor<70x40xf32>
 return %0 : tensor<70x40xf32> }""", [x], [("f32", 2)], [2 * x.T], 0)
suite.add("empty_dynamic", """func.func @empty_dynamic(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
 %0 = math.exp %x : tensor<?x?xf32>
 return %0 : tensor<?x?xf32> }""", [f(0, 7)], [("f32", 2)], [np.zeros((0, 7))], 0)
# No loop over the first two dimensions at once: tensors and buffers differ in whether its size is 0 or unknown.
suite.add("empty_mixed", """func.func @empty_mixed(%x: tensor<0x?x2x?xi16>, %w: tensor<1x2x?x?xi16>, %y: tensor<0x?x1x?x?xi32>) -> tensor<0x?x1x?x?xi32> {
 %z = arith.constant 0 : i16
 %p = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 0, 0] { ^bb0(%i: index, %j: index, %k: index, %l: index):
  tensor.yield %z : i16 } : tensor<0x?x2x?xi16> to tensor<0x?x2x?xi16>
 %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%p, %w : tensor<0x?x2x?xi16>, tensor<1x2x?x?xi16>) outs(%y : tensor<0x?x1x?x?xi32>) -> tensor<0x?x1x?x?xi32>
 return %r : tensor<0x?x1x?x?xi32> }""", [np.zeros((0, 2, 2, 2), np.int16), np.zeros((1, 2, 2, 3), np.int16), np.zeros((0, 3, 1, 2, 3), np.int32)],
          [("i32", 5)], [np.zeros((0, 3, 1, 2, 3))], 0)
suite.run()
