//===- Tiles.h - permission to use tile registers ---------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_TILES_H
#define AMP_LIB_RUNTIME_TILES_H

/// Asks the system to let this process use tile registers, which it does once:
/// 0, or the system's error number. Any thread may call it at any time.
__attribute__((visibility("hidden"))) int ampRequestTiles(void);

#endif // AMP_LIB_RUNTIME_TILES_H
