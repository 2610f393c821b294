//===- Peers.h - classifiers whose answers amp can give ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_PEERS_H
#define AMP_POLICY_PEERS_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::amp {

/// A classifier of another project that the rules are to agree with, where a
/// user moves from there.
enum class Peer {
  none,
  /// NVIDIA ModelOpt's AutoCast for ONNX, at commit a2fbac7b.
  modelopt,
  /// Torch-TensorRT's rule-based autocast, at commit d7f20628.
  torch_trt
};

/// The peer that the option `compat` calls "none", "modelopt" or "torch-trt".
std::optional<Peer> symbolizePeer(llvm::StringRef name);
llvm::StringRef stringifyPeer(Peer peer);

} // namespace mlir::amp

#endif // AMP_POLICY_PEERS_H
