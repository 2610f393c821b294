//===- onednn.cpp - oneDNN as a peer of kernels.py
//-------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of oneDNN 2 and 3 behind a C interface, which kernels.py compiles and
// loads. Each function makes a call on the given memory, which stays the
// caller's, and returns it for peerRun, or null where oneDNN has no such
// kernel. Matrices and images are contiguous; types are those of `Type`.
//
//===----------------------------------------------------------------------===//

#include "oneapi/dnnl/dnnl.hpp"

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

using namespace dnnl;
using Dims = memory::dims;
using Tag = memory::format_tag;

namespace {
enum Type { F32, BF16, F16, I8 };
enum Chain { Gelu, Silu, Tanh };

memory::data_type dataType(int type) {
  const memory::data_type types[] = {
      memory::data_type::f32, memory::data_type::bf16, memory::data_type::f16,
      memory::data_type::s8};
  return types[type];
}

engine &cpu() {
  static engine result(engine::kind::cpu, 0);
  return result;
}

stream &queue() {
  static stream result(cpu());
  return result;
}

using Arguments = std::unordered_map<int, memory>;

/// A primitive on its memory, behind an optional reorder.
struct Call {
  primitive compute;
  Arguments arguments;
  /// Of the weights, from the layout they are given in; empty if they are in
  /// the kernel's.
  primitive reorder;
  Arguments reorderArguments;
};

/// What is described for one of the two interfaces: version 3 has dropped the
/// descriptions of operations that version 2 makes primitives of.
template <typename Primitive, typename... Args>
auto describe(Args &&...args) {
#if DNNL_VERSION_MAJOR >= 3
  return typename Primitive::primitive_desc(cpu(), std::forward<Args>(args)...);
#else
  return typename Primitive::primitive_desc(
      typename Primitive::desc(std::forward<Args>(args)...), cpu());
#endif
}

Call *attempt(const std::function<std::unique_ptr<Call>()> &make) {
  try {
    return make().release();
  } catch (const dnnl::error &) {
    return nullptr;
  }
}

/// A call with weights in the layout the kernel wants: reordered in each call,
/// or, if `prepacked`, now.
template <typename Primitive, typename Description>
std::unique_ptr<Call> withWeights(const Description &description,
                                  const memory &source, const memory &weights,
                                  const memory &result, bool prepacked) {
  auto call = std::make_unique<Call>();
  memory packed = weights;
  if (description.weights_desc() != weights.get_desc()) {
    packed = memory(description.weights_desc(), cpu());
    call->reorder = dnnl::reorder(weights, packed);
    call->reorderArguments = {{DNNL_ARG_FROM, weights}, {DNNL_ARG_TO, packed}};
    if (prepacked) {
      call->reorder.execute(queue(), call->reorderArguments);
      queue().wait();
      call->reorder = primitive();
    }
  }
  call->compute = Primitive(description);
  call->arguments = {{DNNL_ARG_SRC, source},
                     {DNNL_ARG_WEIGHTS, packed},
                     {DNNL_ARG_DST, result}};
  return call;
}

/// A call without weights, from `x` to `y`, both of `type`.
template <typename Primitive, typename Description>
std::unique_ptr<Call> withSource(const Description &description,
                                 const memory::desc &type, void *x, void *y) {
  auto call = std::make_unique<Call>();
  call->compute = Primitive(description);
  call->arguments = {{DNNL_ARG_SRC, memory(type, cpu(), x)},
                     {DNNL_ARG_DST, memory(type, cpu(), y)}};
  return call;
}
} // namespace

extern "C" {
const char *peerVersion() {
  static const std::string text = [] {
    const dnnl_version_t *v = dnnl_version();
    return std::to_string(v->major) + "." + std::to_string(v->minor) + "." +
           std::to_string(v->patch);
  }();
  return text.c_str();
}

void peerRun(void *handle) {
  Call &call = *static_cast<Call *>(handle);
  if (call.reorder)
    call.reorder.execute(queue(), call.reorderArguments);
  call.compute.execute(queue(), call.arguments);
  queue().wait();
}

/// c[m][n] = a[m][k] b, with b as [k][n], or as [n][k] if `transposed`; c is
/// i32 for i8, f32 otherwise.
void *peerMatmul(int type, int64_t m, int64_t n, int64_t k, bool transposed,
                 bool prepacked, void *a, void *b, void *c) {
  return attempt([&] {
    auto t = dataType(type);
    auto sum = type == I8 ? memory::data_type::s32 : memory::data_type::f32;
    memory::desc da({m, k}, t, Tag::ab), dc({m, n}, sum, Tag::ab);
    memory::desc db({k, n}, t, transposed ? Tag::ba : Tag::ab);
    memory::desc any({k, n}, t, Tag::any);
    auto description = describe<matmul>(da, prepacked ? any : db, dc);
    return withWeights<matmul>(description, {da, cpu(), a}, {db, cpu(), b},
                               {dc, cpu(), c}, prepacked);
  });
}

/// A square convolution of x[n][h][h][c] by w[size][size][c][f] into
/// [n][o][o][f], or where `channelsFirst` of x[n][c][h][h] by
/// w[f][c][size][size] into [n][f][o][o]; all f32.
void *peerConvolution(int64_t n, int64_t h, int64_t c, int64_t f, int64_t size,
                      int64_t stride, int64_t pad, bool channelsFirst,
                      bool prepacked, void *x, void *w, void *y) {
  return attempt([&] {
    auto t = memory::data_type::f32;
    int64_t o = (h + 2 * pad - size) / stride + 1;
    Tag image = channelsFirst ? Tag::nchw : Tag::nhwc;
    memory::desc dx({n, c, h, h}, t, image), dy({n, f, o, o}, t, image);
    memory::desc dw({f, c, size, size}, t,
                    channelsFirst ? Tag::oihw : Tag::hwio);
    memory::desc any({f, c, size, size}, t, Tag::any);
    Dims strides{stride, stride}, edge{pad, pad};
    auto description = describe<convolution_forward>(
        prop_kind::forward_inference, algorithm::convolution_direct, dx, any,
        dy, strides, edge, edge);
    return withWeights<convolution_forward>(
        description, {dx, cpu(), x}, {dw, cpu(), w}, {dy, cpu(), y}, prepacked);
  });
}

/// Softmax of the rows of x[m][n].
void *peerSoftmax(int type, int64_t m, int64_t n, void *x, void *y) {
  return attempt([&] {
    memory::desc d({m, n}, dataType(type), Tag::ab);
#if DNNL_VERSION_MAJOR >= 3
    auto description = describe<softmax_forward>(
        prop_kind::forward_inference, algorithm::softmax_accurate, d, d, 1);
#else
    auto description =
        describe<softmax_forward>(prop_kind::forward_inference, d, 1);
#endif
    return withSource<softmax_forward>(description, d, x, y);
  });
}

/// Layer norm of the rows of x[m][n], without scale and shift.
void *peerLayerNorm(int type, int64_t m, int64_t n, void *x, void *y) {
  return attempt([&] {
    memory::desc d({m, n}, dataType(type), Tag::ab);
#if DNNL_VERSION_MAJOR >= 3
    auto description = describe<layer_normalization_forward>(
        prop_kind::forward_inference, d, d, 1e-5f, normalization_flags::none);
#else
    auto description = describe<layer_normalization_forward>(
        prop_kind::forward_inference, d, 1e-5f, normalization_flags::none);
#endif
    return withSource<layer_normalization_forward>(description, d, x, y);
  });
}

/// An elementwise chain (`Chain`) of x[m][n].
void *peerChain(int chain, int type, int64_t m, int64_t n, void *x, void *y) {
  return attempt([&] {
    const algorithm kinds[] = {algorithm::eltwise_gelu_erf,
                               algorithm::eltwise_swish,
                               algorithm::eltwise_tanh};
    memory::desc d({m, n}, dataType(type), Tag::ab);
#if DNNL_VERSION_MAJOR >= 3
    auto description = describe<eltwise_forward>(
        prop_kind::forward_inference, kinds[chain], d, d, /*alpha=*/1.0f);
#else
    auto description = describe<eltwise_forward>(
        prop_kind::forward_inference, kinds[chain], d, /*alpha=*/1.0f);
#endif
    return withSource<eltwise_forward>(description, d, x, y);
  });
}
}
