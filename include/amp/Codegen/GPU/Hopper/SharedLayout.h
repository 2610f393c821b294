//===- SharedLayout.h - operands of wgmma in shared memory ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where TMA puts the elements of a box, where wgmma looks for the elements of
// an operand, and the descriptors that say so. As in Layouts.h, maps of values
// that only the device knows are templates over the integer, and do not branch
// on it. All offsets are in bytes. C++17 alone, so that the simulator shares
// it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_HOPPER_SHAREDLAYOUT_H
#define AMP_CODEGEN_GPU_HOPPER_SHAREDLAYOUT_H

#include <array>
#include <cstdint>
#include <string>

namespace mlir::amp::gpu::hopper {

//===----------------------------------------------------------------------===//
// Swizzles
//===----------------------------------------------------------------------===//

/// How 16-byte chunks of shared memory are permuted: PTX ISA, "Swizzling
/// Modes". The numbers are those of CUtensorMapSwizzle.
enum class Swizzle : uint8_t { None = 0, B32 = 1, B64 = 2, B128 = 3 };

/// The bytes of a row that a swizzle permutes: 32, 64 or 128. Without one, the
/// 16 bytes of a chunk.
constexpr int64_t getSpan(Swizzle swizzle) {
  return int64_t(16) << unsigned(swizzle);
}
/// After how many bytes the pattern repeats: what buffers must be aligned to.
constexpr int64_t getSwizzleAlignment(Swizzle swizzle) {
  return swizzle == Swizzle::None ? 128 : 8 * getSpan(swizzle);
}

/// Where the byte lies that would be at `address` without a swizzle: bits 4 to
/// 6 of the address (4 and 5 of 64-byte, 4 of 32-byte swizzles) are XORed with
/// bits 7 to 9 (7 and 8, 7). An address of shared memory, or an offset from one
/// that is a multiple of `getSwizzleAlignment`. Its own inverse.
template <typename Int>
Int applySwizzle(Swizzle swizzle, Int address) {
  int64_t mask = getSpan(swizzle) - 16;
  return address ^ ((address >> int64_t(3)) & mask);
}

//===----------------------------------------------------------------------===//
// TMA boxes
//===----------------------------------------------------------------------===//

/// What one cp.async.bulk.tensor in tile mode moves: `size[d]` elements along
/// dimension d of the tensor, the innermost first. In shared memory the box is
/// dense, row after row, then swizzled (PTX ISA, "Tensors", "Tiled mode").
struct TmaBox {
  unsigned bits;
  Swizzle swizzle;
  unsigned rank;
  std::array<int64_t, 5> size;

  constexpr int64_t getElements() const {
    int64_t count = 1;
    for (unsigned d = 0; d < rank; ++d)
      count *= size[d];
    return count;
  }
  constexpr int64_t getRowBytes() const { return size[0] * bits / 8; }
  /// What the transfer adds to an mbarrier's tx-count: the whole box, also
  /// where a part of it lies outside of the tensor and is filled with zeros.
  constexpr int64_t getBytes() const { return getElements() * bits / 8; }

  /// Where the element at `index` in the box lies, from the start of the box.
  template <typename Int>
  Int offset(const std::array<Int, 5> &index) const {
    Int element = index[0];
    int64_t pitch = size[0];
    for (unsigned d = 1; d < rank; ++d) {
      element = element + index[d] * pitch;
      pitch *= size[d];
    }
    return applySwizzle(swizzle, element * int64_t(bits / 8));
  }

  /// What the driver refuses, or the hardware does in a way that nothing here
  /// relies on; empty: nothing. (CUDA Driver API, "cuTensorMapEncodeTiled".)
  std::string check() const {
    if (rank < 1 || rank > 5)
      return "a box has 1 to 5 dimensions, not " + std::to_string(rank);
    for (unsigned d = 0; d < rank; ++d)
      if (size[d] < 1 || size[d] > 256)
        return "a box has 1 to 256 elements along a dimension, not " +
               std::to_string(size[d]);
    if (getRowBytes() % 16)
      return "a row of a box must be a multiple of 16 bytes, and has " +
             std::to_string(getRowBytes());
    if (swizzle != Swizzle::None && getRowBytes() != getSpan(swizzle))
      return "a row of a swizzled box must have the " +
             std::to_string(getSpan(swizzle)) + " bytes of its swizzle, not " +
             std::to_string(getRowBytes());
    return "";
  }
};

/// Why a tensor cannot have a tensor map; empty: it can. `byteStrides[d]` is
/// the distance along dimension d + 1. (CUDA Driver API,
/// "cuTensorMapEncodeTiled".)
inline std::string checkTensor(unsigned rank, uint64_t address,
                               const int64_t *sizes,
                               const int64_t *byteStrides) {
  if (rank < 1 || rank > 5)
    return "a tensor map has 1 to 5 dimensions, not " + std::to_string(rank);
  if (address % 16)
    return "the address of a tensor map must be a multiple of 16";
  for (unsigned d = 0; d < rank; ++d) {
    if (sizes[d] < 1 || sizes[d] > (int64_t(1) << 32))
      return "a tensor map has 1 to 2^32 elements along a dimension, not " +
             std::to_string(sizes[d]);
    if (d + 1 < rank && (byteStrides[d] < 0 || byteStrides[d] % 16 ||
                         byteStrides[d] >= (int64_t(1) << 40)))
      return "a stride of a tensor map must be a multiple of 16 bytes below "
             "2^40, and is " +
             std::to_string(byteStrides[d]);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Matrix descriptors
//===----------------------------------------------------------------------===//

/// Which dimension of an operand is contiguous: K (A[M, K] or B^T[N, K] row by
/// row), or the other one (A^T[K, M] or B[K, N]; elements of 16 bits only).
enum class Major : uint8_t { K, MN };

/// The fields of the 64-bit matrix descriptor: PTX ISA, "Asynchronous
/// Warpgroup Level Matrix Shared Memory Layout", "Matrix Descriptor Format".
/// Addresses and offsets in bytes, multiples of 16 below 2^18.
struct MatrixDescriptor {
  uint32_t address;
  /// "Leading dimension byte offset" and "stride dimension byte offset".
  uint32_t leading, stride;
  /// Bits 49 to 51: 0 for buffers aligned to `getSwizzleAlignment`.
  uint8_t baseOffset = 0;
  Swizzle swizzle = Swizzle::None;

  /// matrix-descriptor-encode(x) = (x & 0x3ffff) >> 4.
  static constexpr uint64_t encodeField(uint64_t bytes) {
    return (bytes & 0x3ffff) >> 4;
  }
  /// Bits 62 and 63: 0 none, 1 of 128 bytes, 2 of 64, 3 of 32.
  static constexpr uint64_t encodeSwizzle(Swizzle swizzle) {
    return (4 - uint64_t(swizzle)) & 3;
  }

  /// The bits of everything but the address, which is added shifted right by
  /// four: kernels keep this half in a constant.
  constexpr uint64_t encodeFixed() const {
    return encodeField(leading) << 16 | encodeField(stride) << 32 |
           uint64_t(baseOffset) << 49 | encodeSwizzle(swizzle) << 62;
  }
  constexpr uint64_t encode() const {
    return encodeFixed() | encodeField(address);
  }
  static constexpr MatrixDescriptor decode(uint64_t bits) {
    auto field = [](uint64_t value) { return uint32_t(value & 0x3fff) << 4; };
    return {field(bits), field(bits >> 16), field(bits >> 32),
            uint8_t(bits >> 49 & 7), Swizzle((4 - (bits >> 62)) & 3)};
  }

  /// The address in shared memory of element (mn, k) of the operand, mn being a
  /// row of A or a column of B. PTX ISA, "Strides" and "Canonical layouts" of
  /// the section above: in units of T = 16 bytes, S = span / 16 and c = the
  /// chunk along the contiguous dimension,
  ///   K-major:           Swizzle o ((8, m), 2 k) : ((S, stride), 1), and
  ///                      without a swizzle ((1, stride), leading)
  ///   MN-major:          Swizzle o ((S, m), (8, k)) : ((1, leading),
  ///                      (S, stride)), and without a swizzle
  ///                      ((m), (8, k)) : ((stride), (1, leading)).
  template <typename Int>
  Int elementAddress(Major major, unsigned bits, Int mn, Int k) const {
    int64_t bytes = bits / 8, perChunk = 16 / bytes;
    bool isPlain = swizzle == Swizzle::None;
    Int offset = Int(int64_t(address));
    if (major == Major::K) {
      int64_t chunkStride = isPlain ? int64_t(leading) : 16;
      offset = offset + (mn % int64_t(8)) * getSpan(swizzle) +
               (mn / int64_t(8)) * int64_t(stride) +
               (k / perChunk) * chunkStride + (k % perChunk) * bytes;
    } else {
      int64_t perSpan = getSpan(swizzle) / 16;
      int64_t spanStride = isPlain ? stride : leading;
      int64_t groupStride = isPlain ? leading : stride;
      Int chunk = mn / perChunk;
      offset = offset + (chunk % perSpan) * int64_t(16) +
               (chunk / perSpan) * spanStride +
               (k % int64_t(8)) * getSpan(swizzle) +
               (k / int64_t(8)) * groupStride + (mn % perChunk) * bytes;
    }
    return applySwizzle(swizzle, offset);
  }
};

//===----------------------------------------------------------------------===//
// Operand tiles
//===----------------------------------------------------------------------===//

/// The bytes along K of one wgmma: K is 16 for elements of 16 bits, 8 for
/// tf32, 32 for elements of 8 bits (PTX ISA, "Asynchronous Multiply-and-
/// Accumulate Instruction: wgmma.mma_async", "Matrix shape").
constexpr int64_t kWgmmaKBytes = 32;
constexpr int64_t getWgmmaK(unsigned bits) { return kWgmmaKBytes * 8 / bits; }

/// A tile of an operand in shared memory, `mn` x `k` elements, brought by TMA:
/// boxes whose rows are one span long, one box behind the other along the
/// contiguous dimension. The tile must begin at a multiple of
/// `getSwizzleAlignment`.
struct OperandTile {
  int64_t mn, k;
  unsigned bits;
  Major major;
  Swizzle swizzle = Swizzle::B128;

  constexpr int64_t getElementBytes() const { return bits / 8; }
  /// Elements of a span.
  constexpr int64_t getBoxInner() const { return getSpan(swizzle) * 8 / bits; }
  /// Rows of a box.
  constexpr int64_t getBoxOuter() const { return major == Major::K ? mn : k; }
  constexpr int64_t getNumBoxes() const {
    return (major == Major::K ? k : mn) / getBoxInner();
  }
  constexpr int64_t getBoxBytes() const {
    return getBoxOuter() * getSpan(swizzle);
  }
  constexpr int64_t getBytes() const { return getNumBoxes() * getBoxBytes(); }
  constexpr TmaBox getBox() const {
    return {bits, swizzle, 2, {getBoxInner(), getBoxOuter(), 1, 1, 1}};
  }

  /// Where element (mn, k) lies, from the start of the tile.
  template <typename Int>
  Int offset(Int atMN, Int atK) const {
    Int inner = major == Major::K ? atK : atMN;
    Int outer = major == Major::K ? atMN : atK;
    Int box = inner / getBoxInner();
    return applySwizzle(swizzle,
                        box * getBoxBytes() + outer * getSpan(swizzle) +
                            (inner % getBoxInner()) * getElementBytes());
  }

  /// The descriptor of the tile at `address`.
  constexpr MatrixDescriptor getDescriptor(uint32_t address) const {
    uint32_t eightRows = uint32_t(8 * getSpan(swizzle));
    uint32_t nextBox = uint32_t(getBoxBytes());
    // What "leading" means for K-major swizzles is nothing; 1 is what the PTX
    // ISA says it is assumed to be.
    if (swizzle == Swizzle::None)
      return major == Major::K
                 ? MatrixDescriptor{address, nextBox, eightRows, 0, swizzle}
                 : MatrixDescriptor{address, eightRows, nextBox, 0, swizzle};
    return {address, major == Major::K ? 16 : nextBox, eightRows, 0, swizzle};
  }

  /// How far the descriptor's address moves to k step `step`.
  constexpr int64_t getKStep(int64_t step) const {
    if (major == Major::MN)
      return step * getWgmmaK(bits) * getSpan(swizzle);
    int64_t inner = step * kWgmmaKBytes;
    return inner / getSpan(swizzle) * getBoxBytes() + inner % getSpan(swizzle);
  }
  /// How far it moves along M or N to `element`, a multiple of eight rows, or
  /// of a box where the operand is contiguous along M or N.
  constexpr int64_t getMNStep(int64_t element) const {
    return major == Major::K ? element * getSpan(swizzle)
                             : element / getBoxInner() * getBoxBytes();
  }

  /// What is wrong with the tile as an operand of wgmma; empty: nothing.
  std::string check() const {
    if (major == Major::MN && bits != 16)
      return "wgmma reads elements of " + std::to_string(bits) +
             " bits with K contiguous only";
    if (k % getWgmmaK(bits))
      return "a tile along K must be a multiple of " +
             std::to_string(getWgmmaK(bits)) + ", not " + std::to_string(k);
    if (mn % 8)
      return "a tile along M or N must be a multiple of 8, not " +
             std::to_string(mn);
    if ((major == Major::K ? k : mn) % getBoxInner())
      return "a tile must be a multiple of the " +
             std::to_string(getBoxInner()) +
             " elements of a span along its contiguous dimension";
    return getBox().check();
  }
};

} // namespace mlir::amp::gpu::hopper

#endif // AMP_CODEGEN_GPU_HOPPER_SHAREDLAYOUT_H
