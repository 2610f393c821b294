//===- ContractionPlan.h - tiles and blocks of a contraction ----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_CONTRACTIONPLAN_H
#define AMP_LIB_CODEGEN_CPU_CONTRACTIONPLAN_H

#include "Emit.h"
#include "Parallel.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::amp::cpu {

/// Marks the op that gathers windows of an image, and tells how far neighbours
/// in one of its rows are apart.
inline constexpr llvm::StringLiteral kGatherAttrName("windows");

/// What such an op reads: element (k, n) is at (n / `rowLength`) * `rowMove` +
/// (n % `rowLength`) * stride + `steps`[k] of the last dimension of `image`.
struct Gather {
  Value image, steps, rowLength, rowMove;
};

/// Where the columns of B are that are windows of an image: element (k, n) is
/// at `start` + `step` of B's last dimension, an expression of the loop n and
/// one of k. The next columns of a run are `stride` elements apart.
struct Windows {
  AffineExpr start, step;
  int64_t stride = 1;
  /// Runs begin at multiples of so many columns; 0: there is one run.
  int64_t run = 0;
  /// Where the image's sizes are not known, the op that gathers B from it.
  std::optional<Gather> gather;
};

/// Which loop of a contraction is which, and which operand is A.
struct Roles {
  ContractionBody body;
  OpOperand *a = nullptr, *b = nullptr, *c = nullptr;
  AffineMap aMap, bMap, cMap;
  unsigned n = 0, k = 0;
  /// The loops over rows, of A and C alone, walked as one: the last fastest.
  /// None for a vector times a matrix.
  SmallVector<unsigned> rows;
  /// The reductions but k, walked as one: each step is a segment of k.
  SmallVector<unsigned> segments;
  /// All other loops: parallel ones.
  SmallVector<unsigned> others;
  SmallVector<int64_t> sizes;
  /// Rows that register tiles are chosen for, where their number is not known
  /// and `sizes` has the most that there may be.
  std::optional<int64_t> usualRows;
  /// Not more rows than these, where it is that which a program has found out
  /// about their number.
  std::optional<int64_t> mostRows;
  /// Registers across a tile, where other blocks have chosen the panels that B
  /// is packed into ahead of calls.
  std::optional<int64_t> tileVectors;
  /// Of a B that is no matrix.
  std::optional<Windows> windows;
  /// Whether tiles read A where it is, which has whole steps of k of theirs and
  /// as many rows as a block of them at least.
  bool readsTilesOfA = false;

  /// Whether neighbours in k (in n) are neighbours in A (in B).
  bool aRowsAreContiguous() const { return isInnermost(aMap, k); }
  bool bRowsAreContiguous() const { return !windows && isInnermost(bMap, n); }
  /// The product of the sizes of `dims`, `unknown` standing for dynamic ones.
  int64_t getSize(ArrayRef<unsigned> dims, int64_t unknown) const;
  bool rowsAreKnown() const;

private:
  static bool isInnermost(AffineMap map, unsigned d) {
    return map.getResults().back().isFunctionOfDim(d);
  }
};

/// Channels that are too few to be packed as rows of their own.
inline constexpr int64_t kShortRow = 16;

/// Register tile and cache blocks, in elements.
struct Blocking {
  int64_t lanes = 0, mr = 0, nv = 0, kc = 0, mc = 0, nc = 0;
  /// How many segments of k a block takes, where it takes all of k of each.
  int64_t segments = 1;
  /// Not where each element of B is used for the rows of one register tile, or
  /// of not many: it is read where it is, a few rows of it at a time.
  bool packsB = true;
  /// How many rows of a B that no cache holds are between those that are read
  /// and those that are asked for meanwhile (of a strip, those of the next
  /// one); none are with 0.
  int64_t rowsAhead = 0;
  /// Whether those are asked for behind the products of a tile, not in between.
  bool asksBehind = false;
  /// Words of two bf16 of such rows become two registers of f32, one of the
  /// even and one of the odd columns.
  bool halvesWords = false;
  /// Not where operands are small: elements of A are read where they are.
  bool packsA = true;
  /// Not zero where both operands are read where they are in vectors along k:
  /// by how many columns at a time.
  int64_t dotColumns = 0;
  /// Not zero where these are asked for as they lie in memory, row after row:
  /// how many bytes ahead.
  int64_t bytesAhead = 0;
  /// B is read where it is, in groups along k that are made in registers.
  bool readsGroups = false;
  /// Not zero where a block's steps of B are read where they are for several
  /// register tiles: how many panels of such groups are made at a time.
  int64_t stripPanels = 0;
  /// The next panel is made in between the products of one.
  bool packsBetween = false;
  /// All of A is packed once, before blocks of columns that are divided among
  /// threads: where it is small and these blocks are many.
  bool packsAllOfA = false;
  /// Which loop over blocks threads divide among them.
  enum { Nothing, Rows, Columns } parallel = Nothing;
  /// Where their number is not known before it runs, those become up to so many
  /// blocks, of `leastPart` or more; one where there are less than `leastWork`
  /// multiply-adds.
  int64_t parts = 0, leastPart = 0, leastWork = 0;
  /// Blocks of columns that are made so may end with a narrower panel, and are
  /// few rather than many.
  bool dividesPanels = false;
  /// The last tile of unknown numbers of rows may have half as many.
  bool halvesRows = false;
  /// Not zero where threads divide columns into parts of so many, and those of
  /// one thread that are neighbours are one block of up to `nc`.
  int64_t joinedColumns = 0;
  /// Threads have ranges of tiles of rows, and each packs all of B for its own.
  bool joinsRows = false;
  /// A panel of A is multiplied by all of a block of B, which the second cache
  /// has, before the next one is; else a panel of B by all of A.
  bool takesRowsFirst = false;
  /// Not zero where blocks of columns are to be narrower, as narrow as there
  /// are rows, so that a packed one has so many bytes.
  int64_t panelBytes = 0;
  int64_t nr() const { return nv * lanes; }
};

struct GroupDot;

/// The loops of `op` by the operands that they index; nothing where the op is
/// no contraction with at least one n and k, or where a layout's innermost
/// loop is none of them. A convolution is one whose A has indices that move
/// with several loops, such as an image's row with that of the output and of
/// the filter, or whose B has one that `mergeWindows` made, or is what
/// `gatherWindows` has gathered.
std::optional<Roles> matchRoles(linalg::LinalgOp op);

/// Whether a convolution has so few filters that those would leave most lanes
/// of a register idle, where vectors along channels or pixels leave none.
bool hasFewFilters(const Roles &roles, const CPUTarget &target);

/// Whether `pad` is zeros around what nothing but packed contractions read as
/// their A, row by row: they make the zeros themselves.
bool isPackedPadding(tensor::PadOp pad, const CPUTarget &target);

/// Whether register tiles of `columns` columns are to read the operands where
/// they are: all fits the caches, and nothing is converted. Measured.
bool readsInPlace(const Roles &roles, const CPUTarget &target, int64_t group,
                  int64_t columns);

/// Whether a B of static sizes has few columns, and a half of the second cache
/// holds it, of what is multiplied as it lies.
bool hasFewColumns(const Roles &roles, const CPUTarget &target);

/// Whether several register tiles read rows of B where they are, since they are
/// too few for what packing it costs: to read and write all of it. Measured.
bool sharesRowsOfB(const Roles &roles, const CPUTarget &target, int64_t group);

/// Registers across such a tile: parts of rows that are whole lines of the
/// caches, and few of them.
int64_t getSharedVectors(const CPUTarget &target);

/// Whether those read strips of such rows, which are copied for them, as 16
/// registers want: their narrow tiles read rows of B so often that these are to
/// be in the first cache, where rows as they lie replace each other.
bool sharesStripsOfB(const CPUTarget &target);

/// The most rows for which strips are not worth making, which would convert B
/// once: their tiles read it where it is.
int64_t getMostRowsWithoutStrips(const Roles &roles);

/// Whether elements of A are read where they are because each is used for a few
/// columns only, which do not pay for packing it. Measured.
bool readsRowsOfA(const Roles &roles, const CPUTarget &target);

/// Whether B is as large as `caches` second caches, of which a last one is
/// sixteen or more; `unknown` where its sizes are not known.
bool exceedsCaches(const Roles &roles, const CPUTarget &target,
                   bool unknown = true, int64_t caches = 16);
/// So many of them a last cache may hold for the most part.
inline constexpr int64_t kMostNearly = 24;

/// How many rows of a transposed B all rows of A are multiplied by at a time,
/// in vectors along k; 0 where that needs conversions of A, too many registers,
/// or a longer k.
int64_t getDotColumns(const Roles &roles, const CPUTarget &target);

/// The rows of A that are multiplied at once so where all of them can be.
inline constexpr int64_t kMostDotRows = 12;

/// The shortest k that `m` rows are multiplied along so; `isGroup`: by an
/// instruction that takes several steps of k.
int64_t getLeastDotDepth(int64_t m, bool isGroup);

/// Whether vectors along k have the even elements of B, and then the odd ones:
/// both are f32 after one operation on words of two bf16.
bool halvesWords(const ContractionBody &body);

/// Whether all rows of A are multiplied by groups along k of a B that is read
/// where it is: they are few, its rows are contiguous and need no conversion,
/// and it is not packed ahead.
bool readsGroups(const Roles &roles, const CPUTarget &target);

/// What blocks are chosen from.
struct Product {
  const Roles &roles;
  const CPUTarget &target;
  /// How many steps of k an instruction takes at once.
  int64_t group;
  /// A usual size where one is not known.
  int64_t m, n, k;
  /// Of an element that is summed.
  int64_t bytes;
  /// Rows that register tiles are chosen for.
  int64_t getTileRows() const { return roles.usualRows.value_or(m); }
};

/// Makes the blocks of rows, or where there are few of those the blocks of
/// columns, small enough to be divided among threads: always in the same way,
/// so that results do not depend on their number. Parts of rows that are read
/// where they are cost more the shorter they are: `part` columns are long
/// enough, unless there are fewer than `parts` of them then.
void planThreads(Blocking &blk, int64_t m, int64_t n, int64_t k,
                 int64_t part = 1024, int64_t parts = 4);

/// The same of rows of B that are read where they are. Before AVX-512 parts of
/// one thread are joined: on one thread that is 1.1 to 1.4 times as fast (up to
/// 6 rows of A by 2048 x 512 to 8192 x 2048, Zen 3).
void planColumns(Blocking &blk, const Product &p, int64_t part, int64_t parts);

/// Multiply-adds of a product that is worth threads.
inline constexpr int64_t kLeastWork = 8 * kWorkPerThread;

/// The same of a product of tiles, whose packing counts, that is about `m` x
/// `n` x `k`.
int64_t getLeastWorkOfTiles(int64_t m, int64_t n, int64_t k);

/// Lets threads divide rows or columns, into `parts` of `least` each where
/// their number is not known.
void divide(Blocking &blk, decltype(Blocking::parallel) what, int64_t parts,
            int64_t least);

/// Lets threads divide rows of tiles, and each pack all of B, `columns` columns
/// at a time, for those that it has.
void joinRows(Blocking &blk, int64_t columns);

/// Blocks where one register tile has all rows, and B is read once and where it
/// is.
void planFewRows(Blocking &blk, const Product &p);

/// Tiles and blocks where groups of B are made in registers.
void planGroups(Blocking &blk, const Product &p);

/// Tiles and blocks where both operands are read where they are, along k,
/// `columns` columns at a time.
void planDots(Blocking &blk, const Product &p, int64_t columns);

/// Whether tile registers multiply all rows of A, which are few, by a
/// transposed B that is read where it is. Measured, as the next one.
bool dotsTiles(const Roles &roles, const CPUTarget &target);

/// Blocks of those.
void planTileDots(Blocking &blk, const Product &p);

/// Whether tile registers multiply all rows of A, which are few, by strips of a
/// B whose rows are contiguous.
bool stripsTiles(const Roles &roles, const CPUTarget &target);

/// Tiles read no operand of fewer elements where it is, as they begin late.
inline constexpr int64_t kLeastOfTiles = 128 * 128;

/// Blocks of those.
void planTileStrips(Blocking &blk, const Product &p);

/// Whether `cast` is autocast's: a step of two instructions on the way of B to
/// registers, which memory hides.
bool isNarrowing(Operation *cast);

/// Chooses register tile and blocks; one step of the innermost loop takes
/// `group` elements of k for each lane, and of tile registers 16 groups at once
/// (`isTile`). The tile minimises an estimate of cycles for the padded problem:
/// two multiply-adds and two loads per cycle.
Blocking chooseBlocking(const Roles &roles, const CPUTarget &target,
                        int64_t group, bool isTile);

/// Rows that register tiles are chosen for where their number is not known but
/// small.
inline constexpr int64_t kUsualRows = 8;

/// Blocks of their own for `least` to `most` rows (any number if that is 0),
/// which may take no tiles where others do, or read tiles of A where it is, if
/// it turns out that they can; where threads divide columns of unknown number,
/// and could divide rows, for those of at least `leastColumns`; where B is of
/// unknown size, for one of less than `mostBytes`, if that is not 0; few
/// columns may have other limits (`byColumns`, ascending). With
/// `mostColumns`, instead of blocks, the transposed product with up to so many
/// columns, if k is `depth` times, and twice the number of rows `halfRows`
/// times as many as these.
struct FewRows {
  int64_t most;
  Blocking blk;
  bool avoidsTiles = false, readsTilesOfA = false;
  int64_t leastColumns = 0, mostBytes = 0, least = 1;
  /// `least` and `mostBytes` up to so many columns.
  struct Limits {
    int64_t columns, least, mostBytes;
  };
  SmallVector<Limits, 0> byColumns = {};
  int64_t mostColumns = 0, depth = 0, halfRows = 0;
};

/// The ways, ascending by their rows, in which a contraction whose number of
/// rows is not known computes a few of them: without packing B where it is
/// large, or where there are panels that are packed ahead of calls
/// (`hasPanels`) along those, which all other rows, of `usual` blocks, read
/// too.
SmallVector<FewRows> getFewRows(const Roles &roles, const CPUTarget &target,
                                int64_t group, bool isTile,
                                const Blocking &usual, bool hasPanels);

/// The ways in which tiles read A where it is, where it turns out that they
/// can, beside those of `usual` blocks, whose panels of B they take if it is
/// packed ahead (`hasPanels`): one for small products of unknown size, and one
/// for all.
SmallVector<FewRows> getTilesOfA(const Roles &roles, const CPUTarget &target,
                                 const GroupDot &dot, const Blocking &usual,
                                 bool hasPanels);

/// The most rows and columns of products whose threads each pack all that they
/// multiply by tiles of A where it is, and the longest rows of A, in bytes.
inline constexpr int64_t kMostRowsOfTiles = 512, kMostColumnsOfThreads = 512,
                         kMostBytesOfTileRows = 4096;

/// Bytes of rows of A from which on threads do so with more columns, too, where
/// the second cache has room for A.
inline constexpr int64_t kLongRowOfTiles = 1536;

/// The most rows of tiles that read A where it is of which threads divide the
/// columns; of more, each packs all of B for rows of its own, unless those have
/// more than `kMostDepthOfRows` bytes. Measured.
int64_t getMostRowsByColumns(const CPUTarget &target, int64_t n, int64_t k,
                             int64_t group);
inline constexpr int64_t kMostDepthOfRows = 8192;
/// Its limits: rows of which the latter is faster by up to
/// `kMostColumnsOfThreads` columns, by more, and groups of products.
inline constexpr int64_t kLeastRowsOfTiles = 128, kFewRowsOfTiles = 256,
                         kLeastGroupsOfRows = int64_t(1) << 24;

/// The way of a few columns, where their number is not known and the transposed
/// product is better for them.
std::optional<FewRows> getFewColumns(const Roles &roles,
                                     const CPUTarget &target);

/// Whether B is packed ahead of calls, to `elements` elements of `bits` bits,
/// padding among them: as a constant, or where it is computed from weights.
bool isPackedAhead(const Roles &roles, int64_t elements, int64_t bits);

/// Whether B is packed ahead of calls, whatever the register tile.
bool hasPackedB(const Roles &roles, const CPUTarget &target, int64_t group);

/// Whether a few rows read what is packed ahead of calls as well: where that is
/// no larger than B.
bool readsPackedB(const Roles &roles, const CPUTarget &target, int64_t group);

/// Whether a weight of the static `type` may be kept as `elements` packed ones
/// of `bits` bits each, padding among them.
bool mayKeepPacked(RankedTensorType type, int64_t elements, int64_t bits);

/// Whether `tensor`, outside of all loops of a public function, is computed
/// from arguments marked `amp.weight`, and from nothing else but constants.
bool dependsOnWeightsOnly(Value tensor);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_CONTRACTIONPLAN_H
