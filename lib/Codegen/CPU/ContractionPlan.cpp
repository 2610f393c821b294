//===- ContractionPlan.cpp - tiles and blocks of a contraction ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"

#include "GroupDot.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// Whether vectors along the channels of an image, or else along its pixels,
/// read neighbours, or elements that are not much farther apart.
static bool hasNeighbours(const Roles &roles) {
  constexpr int64_t kFew = 4;
  int64_t k = roles.sizes[roles.k];
  if (ShapedType::isDynamic(k) || k >= kFew)
    return true;
  if (roles.rows.empty())
    return false;
  AffineExpr pixel =
      getAffineDimExpr(roles.rows.back(), roles.aMap.getContext());
  for (AffineExpr expr : roles.aMap.getResults()) {
    AffineExpr move = simplifyAffineExpr(expr.replace(pixel, pixel + 1) - expr,
                                         roles.aMap.getNumDims(), 0);
    if (auto step = dyn_cast<AffineConstantExpr>(move);
        !step || step.getValue() * k > kFew)
      return false;
  }
  return true;
}

// Measured on Zen 4, with 1 to 256 channels: up to 8 filters of f32 are 1.2
// to 8 times as fast, up to 4 of bf16 and f16 1.2 to 5 times, with AVX2 and up
// to 4 of f32 1.4 to 4 times.
bool cpu::hasFewFilters(const Roles &roles, const CPUTarget &target) {
  int64_t n = roles.sizes[roles.n];
  if (ShapedType::isDynamic(n) || roles.windows ||
      roles.aMap.isProjectedPermutation() || !hasNeighbours(roles))
    return false;
  std::optional<GroupDot> dot = matchGroupDot(roles, target);
  // Of tiles it is not known.
  if (dot && (dot->size > 2 || dot->isTile))
    return false;
  bool isNarrow =
      dot || !roles.body.lhsCasts.empty() || !roles.body.rhsCasts.empty();
  int64_t lanes = target.lanes(roles.body.accType.getIntOrFloatBitWidth());
  return n <= (isNarrow ? lanes / 4 : lanes / 2);
}

bool cpu::isPackableContraction(linalg::LinalgOp op, const CPUTarget &target) {
  std::optional<Roles> roles = matchRoles(op);
  if (!roles)
    return false;
  // A narrow accumulator rounds every step; only the plain loops keep that.
  Type acc = roles->body.accType;
  if (!isa<Float32Type, Float64Type>(acc) && !acc.isInteger(32) &&
      !acc.isInteger(64))
    return false;
  int64_t m = roles->getSize(roles->rows, 1024);
  int64_t n = roles->getSize(roles->n, 1024);
  int64_t k =
      roles->getSize(roles->k, 1024) * roles->getSize(roles->segments, 1);
  if (double(m) * double(n) * double(k) <= 16 * 1024)
    return false;
  if (hasFewFilters(*roles, target))
    return false;
  // Packing B costs k * n moves for m * k * n multiplications: a few rows of
  // A do not pay for them unless B must be transposed anyway. Rows of B that
  // need no packing take any number of them.
  if (roles->windows)
    return m >= 8;
  std::optional<GroupDot> dot = matchGroupDot(*roles, target);
  // Of tiles it is not known.
  if (!(dot && dot->isTile) &&
      readsPackedB(*roles, target, dot ? dot->size : 1))
    return true;
  if (!roles->bRowsAreContiguous())
    return m >= 4 || dotsTiles(*roles, target) ||
           getDotColumns(*roles, target) != 0;
  return m >= 8 || readsGroups(*roles, target) || stripsTiles(*roles, target) ||
         (roles->segments.empty() && !dot);
}

bool cpu::isPackedPadding(tensor::PadOp pad, const CPUTarget &target) {
  Value value = pad.getConstantPaddingValue();
  unsigned last = pad.getResultType().getRank() - 1;
  if (!value ||
      !(matchPattern(value, m_PosZeroFloat()) ||
        matchPattern(value, m_Zero())) ||
      getConstantIntValue(pad.getMixedLowPad()[last]) != 0 ||
      getConstantIntValue(pad.getMixedHighPad()[last]) != 0)
    return false;
  return llvm::all_of(pad->getUsers(), [&](Operation *user) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    if (!op || !isPackableContraction(op, target))
      return isa<tensor::DimOp>(user);
    std::optional<Roles> roles = matchRoles(op);
    // Short rows are better merged with their neighbours in the window.
    return roles->a->get() == pad.getResult() && roles->aRowsAreContiguous() &&
           !readsRowsOfA(*roles, target) &&
           roles->getSize(roles->k, kShortRow) >= kShortRow &&
           roles->b->get() != pad.getResult() &&
           roles->c->get() != pad.getResult();
  });
}

/// What the thread with most of `size` rows (or columns) has, where `threads`
/// threads take blocks of `block` one after the other.
static int64_t getLongestShare(int64_t size, int64_t block, int64_t threads) {
  int64_t turn = block * threads, left = size % turn;
  return size / turn * block + std::min(left, block);
}

/// Rows (or columns) of a block, a multiple of `unit`: as many blocks as 8, of
/// at least `least` each, or fewer where these divide `size` clearly more
/// evenly among two and among four threads (256 rows: 66 rather than 48).
static int64_t chooseBlock(int64_t size, int64_t unit, int64_t least) {
  int64_t best = 0;
  double bestShare = std::numeric_limits<double>::max();
  for (int64_t blocks = 8; blocks >= 2; --blocks) {
    int64_t block = llvm::alignTo(
        std::max<int64_t>(least, llvm::divideCeil(size, blocks)), unit);
    double share = double(getLongestShare(size, block, 2)) +
                   double(getLongestShare(size, block, 4));
    if (share < 0.95 * bestShare) {
      bestShare = share;
      best = block;
    }
  }
  return best;
}

/// What a product of tiles takes, as the depth of one without: a tile takes a
/// 32nd of the multiply-adds' time for all of its columns, and packing an
/// element as long as five of them (256^3 takes about as long for one as for
/// the other), and storing a sum as one.
static int64_t getDepthOfTiles(int64_t m, int64_t n, int64_t k) {
  constexpr double kSpeed = 32, kPacking = 5;
  double columns = double(llvm::alignTo(n, kTileRows));
  double products = columns / double(n) / kSpeed;
  double packing = kPacking / double(n) + kPacking / double(m);
  return 1 + std::llround(double(k) * (products + packing));
}

int64_t cpu::getLeastWorkOfTiles(int64_t m, int64_t n, int64_t k) {
  return kLeastWork * std::max<int64_t>(1, k / getDepthOfTiles(m, n, k));
}

static bool isWorthThreads(int64_t m, int64_t n, int64_t k) {
  return double(m) * double(n) * double(k) >= double(kLeastWork);
}

void cpu::divide(Blocking &blk, decltype(Blocking::parallel) what,
                 int64_t parts, int64_t least) {
  blk.parallel = what;
  blk.parts = parts;
  blk.leastPart = least;
  blk.leastWork = kLeastWork;
}

void cpu::planThreads(Blocking &blk, int64_t m, int64_t n, int64_t k,
                      int64_t part, int64_t parts) {
  constexpr int64_t kBlocks = 8, kLeastColumns = 128, kLeastRows = 48;
  // Rows of A that are not packed may be as few as pay for a thread.
  int64_t leastRows = blk.packsA ? kLeastRows : 16;
  if (!isWorthThreads(m, n, k))
    return;
  bool hasColumns = n >= 2 * kLeastColumns;
  // Threads that take columns read B once.
  bool dividesRows = !((blk.stripPanels || blk.dotColumns) && hasColumns);
  if (dividesRows && m >= 2 * (hasColumns ? kLeastRows : leastRows)) {
    blk.mc = std::min<int64_t>(blk.mc, chooseBlock(m, blk.mr, leastRows));
    divide(blk, Blocking::Rows, kBlocks, leastRows);
  } else if (hasColumns) {
    int64_t columns =
        std::max<int64_t>(kLeastColumns, llvm::divideCeil(n, kBlocks));
    if (!blk.packsB)
      columns = std::max(columns,
                         std::min<int64_t>(part, llvm::divideCeil(n, parts)));
    blk.nc = std::min<int64_t>(blk.nc, llvm::alignTo(columns, blk.nr()));
    divide(blk, Blocking::Columns, blk.packsB ? kBlocks : parts, kLeastColumns);
  }
}

void cpu::planColumns(Blocking &blk, const Product &p, int64_t part,
                      int64_t parts) {
  int64_t widest = blk.nc;
  planThreads(blk, p.m, p.n, p.k, part, parts);
  // Those that are counted when the program runs are divided then.
  bool isDivided =
      blk.nc < widest || ShapedType::isDynamic(p.roles.sizes[p.roles.n]);
  // Rows of B are read whole, which processors ask for by themselves, before
  // AVX-512, and of bf16 where rows that are a power of two apart replace each
  // other: on Zen 4 up to 4 rows by 4096 x 4096 are 1.04 to 1.08 times as fast
  // on one thread, and of i8 slower.
  bool areWhole = !p.target.hasMaskedMemory ||
                  (blk.readsGroups && p.group == 2 && !p.target.hasManyWays());
  if (!areWhole || blk.parallel != Blocking::Columns || blk.mc != blk.mr ||
      !isDivided)
    return;
  blk.joinedColumns = blk.nc;
  blk.nc = widest;
}

/// What stands for a size that is not known (every tile divides it), and what
/// larger sizes count as.
static constexpr int64_t kUnknownSize = 6720, kMostSize = int64_t(1) << 30;

/// Iterations of the loops `dims`; `unknown` where they are not known.
static int64_t getSizeOr(const Roles &roles, ArrayRef<unsigned> dims,
                         int64_t unknown = kUnknownSize) {
  return std::clamp<int64_t>(roles.getSize(dims, unknown), 1, kMostSize);
}

void cpu::joinRows(Blocking &blk, int64_t columns) {
  // Of A that is packed, a quarter of what B may have of the second cache.
  constexpr int64_t kRowsOfA = 128;
  if (blk.packsA)
    blk.mc = std::min(blk.mc, kRowsOfA);
  blk.nc = std::min<int64_t>(blk.nc, llvm::alignTo(columns, blk.nr()));
  blk.joinsRows = true;
  divide(blk, Blocking::Rows, /*parts=*/0, /*least=*/0);
}

/// Columns of a block that the second cache has room for beside rows of A, of
/// which each has `depth` bytes.
static int64_t getNearColumns(const CPUTarget &target, int64_t depth) {
  constexpr int64_t kMostColumns = 512;
  return std::min(target.l2Bytes / 2 / depth, kMostColumns);
}

int64_t cpu::getMostRowsByColumns(const CPUTarget &target, int64_t n, int64_t k,
                                  int64_t group) {
  int64_t depth = k * 4 / group, most = target.l2Bytes / 2 / depth,
          least = kFewRowsOfTiles;
  if (depth < kLongRowOfTiles) {
    most = (kLeastGroupsOfRows * group - 1) / (n * k);
    if (n <= kMostColumnsOfThreads)
      least = kLeastRowsOfTiles - 1;
  }
  return std::clamp(most, least, kMostRowsOfTiles - 1);
}

/// Lets threads have rows where it is faster. Parts of rows of the result would
/// be other threads' otherwise, which processors ask for and so take from
/// these: 512^3 of bf16 is 1.3 times as fast as with columns for threads. So is
/// what is larger, as B that others have packed would come from their caches:
/// 1024^3 1.1 times, of i8 1.2 times. What is smaller, or has few rows, is not
/// worth packing B as often (256^3 0.9 times, 300 x 2048 x 768 of bf16 0.75
/// times). Where A is packed, all columns are one block, for which that is done
/// once.
static bool packsForRows(Blocking &blk, const Product &p) {
  constexpr int64_t kLeastRows = 192, kShortRow = 256;
  int64_t depth = p.k * 4 / p.group;
  if (blk.packsA) {
    if (p.m < kLeastRows ||
        (p.m <= kFewRowsOfTiles && 2 * p.m < p.n && depth > kShortRow) ||
        p.n * depth > int64_t(p.target.l2Bytes / 2))
      return false;
    joinRows(blk, p.n);
    return true;
  }
  if (p.m <= getMostRowsByColumns(p.target, p.n, p.k, p.group) ||
      depth > kMostDepthOfRows)
    return false;
  // Half of a small B leaves more of the second cache to A and the results.
  bool isSmall = p.m <= kMostRowsOfTiles && p.n <= kMostColumnsOfThreads;
  int64_t most = isSmall ? llvm::divideCeil(p.n, 2) : p.n;
  joinRows(blk, std::min(getNearColumns(p.target, depth), most));
  return true;
}

/// Divides columns of a small product among threads that each pack all that
/// they multiply: what one thread has packed, others would fetch line by line
/// from its caches. Measured with bf16 and i8, on two threads 1.15 to 1.5 times
/// as fast and on one 0.92 to 0.97, and with tiles 1.3 to 1.7 and 0.9 to 1;
/// with more of any size it is not worth the packing. Tiles that read A where
/// it is pack B alone, and gain as much with more rows. Not where threads
/// divide a batch.
static bool packsForThreads(Blocking &blk, const Product &p, bool isTile) {
  constexpr int64_t kMostRows = 256, kMostDepth = 1024;
  constexpr int64_t kColumns = 128, kBatch = 4;
  bool isBatched = llvm::any_of(p.roles.others, [&](unsigned d) {
    int64_t size = p.roles.sizes[d];
    return ShapedType::isDynamic(size) || size >= kBatch;
  });
  if (isTile && !isBatched && packsForRows(blk, p))
    return true;
  bool isFew = blk.packsA ? p.m <= kMostRows && p.k <= kMostDepth
                          : p.m <= kMostRowsOfTiles &&
                                p.k * 4 / p.group <= kMostBytesOfTileRows;
  if (isBatched || !isFew || p.n > kMostColumnsOfThreads || p.n < kColumns)
    return false;
  bool isNarrow = p.n < kColumns * 3 / 2;
  int64_t least = isNarrow ? kColumns / 2 : kColumns;
  // Packing A again is more of the work of tiles: fewer parts, of one width.
  if (isTile && p.n < 4 * kColumns)
    least = llvm::divideCeil(p.n, 2);
  blk.nc = std::min(blk.nc, chooseBlock(p.n, blk.nr(), least));
  blk.parallel = Blocking::Columns;
  return true;
}

/// How many tile registers of sums the block of them has, down and across: all
/// of them, one column of A and one row of B are in registers at once, of which
/// there are eight. A product takes 16 cycles and gives its sum after 52, a
/// load 8, or three times that from the second level of caches (Intel 64 and
/// IA-32 Architectures Optimization Reference Manual, "Intel AMX").
static void chooseTileBlock(Blocking &blk, const Product &p) {
  constexpr int64_t kRegisters = 8;
  double best = std::numeric_limits<double>::max();
  for (int64_t down : {2, 1, 3})
    for (int64_t across : {2, 3, 1}) {
      int64_t nv = across * kTileRows / blk.lanes;
      if (down * across + down + across > kRegisters ||
          nv != p.roles.tileVectors.value_or(nv))
        continue;
      int64_t blocks = llvm::divideCeil(p.m, down * kTileRows) *
                       llvm::divideCeil(p.n, across * kTileRows);
      int64_t cycles =
          std::max({16 * down * across, 12 * (down + across), int64_t(52)});
      double cost = double(blocks) * double(cycles);
      if (cost < best) {
        best = cost;
        blk.mr = down * kTileRows;
        blk.nv = nv;
      }
    }
}

/// The rows of a tile of which several have `rows`, with the fewest past the
/// end and the fewest tiles. Beside the products, in cycles, a row of B is
/// loaded, and sums pass through memory.
static int64_t chooseRowsOfTile(int64_t rows, int64_t most, int64_t nv) {
  constexpr int64_t kLoads = 5;
  int64_t best = std::numeric_limits<int64_t>::max(), chosen = 1;
  for (int64_t mr = 1; mr <= most; ++mr) {
    int64_t cost = llvm::divideCeil(rows, mr) * (mr * nv / 2 + kLoads);
    if (cost > best)
      continue;
    best = cost;
    chosen = mr;
  }
  return chosen;
}

/// Tiles and blocks where more rows than a tile has read rows of B where they
/// are with 16 registers, but few enough to make no strips of it. Each line of
/// eight rows of B is read for all tiles, and sums stay in the second cache: on
/// Zen 3, by 4096 x 4096, 8 rows of f32 and bf16 are 1.15 to 1.25 times as fast
/// as in one tile (by 1000 x 1000 1.4 times), 12 rows 1.1 to 1.2 times; half of
/// the columns at a time 1.05 times as long, a quarter 1.2 times.
static void planFewTiles(Blocking &blk, const Product &p) {
  const auto &[roles, target, group, m, n, k, bytes] = p;
  constexpr int64_t kMostRows = 5, kSteps = 8, kColumns = 4096;
  blk.packsB = false;
  blk.halvesWords = halvesWords(roles.body);
  blk.nv = getSharedVectors(target);
  blk.mr = chooseRowsOfTile(m, kMostRows, blk.nv);
  blk.kc = std::min(k, kSteps);
  blk.mc = llvm::alignTo(m, blk.mr);
  blk.nc = std::min<int64_t>(kColumns, llvm::alignTo(n, blk.nr()));
  planThreads(blk, m, n, k, /*part=*/kColumns / 2, /*parts=*/2);
}

/// Tiles and blocks where several register tiles read rows of B where they are,
/// or, with 16 registers, strips of them that the first cache holds.
static void planSharedRows(Blocking &blk, const Product &p) {
  const auto &[roles, target, group, m, n, k, bytes] = p;
  bool hasStrips = sharesStripsOfB(target);
  if (hasStrips && m <= getMostRowsWithoutStrips(roles))
    return planFewTiles(blk, p);
  // Measured: where the first cache has eight ways, lower tiles are 1.0 to 1.15
  // times as fast (Zen 4).
  int64_t mostRows = hasStrips || target.hasManyWays() ? 6 : 4;
  // Of rows that are not known, as few as one tile has go another way.
  int64_t rows = roles.usualRows ? 3 * kUsualRows : m;
  blk.packsB = false;
  // Strips are converted when they are made.
  blk.halvesWords = !hasStrips && halvesWords(roles.body);
  blk.nv = getSharedVectors(target);
  blk.mr = chooseRowsOfTile(rows, mostRows, blk.nv);
  // Rows that are a power of two apart replace each other in the first cache,
  // and more of them in the second one: 16 rows by 4096 x 11008 are 1.2 times
  // as fast with 32 of them at a time as with 64. Strips are copies.
  constexpr int64_t kSteps = 32, kStripSteps = 64, kPanels = 2, kColumns = 1024;
  bool isShort = !hasStrips && !ShapedType::isDynamic(roles.sizes[roles.k]) &&
                 k <= 2 * kSteps;
  int64_t nr = blk.nr();
  blk.kc = isShort ? k : hasStrips ? std::min<int64_t>(kStripSteps, k) : kSteps;
  blk.stripPanels = hasStrips ? kPanels : 0;
  blk.rowsAhead = blk.packsA ? blk.kc : 0;
  blk.mc = llvm::alignTo(m, blk.mr);
  blk.nc = std::min<int64_t>(kColumns / nr * nr, llvm::alignTo(n, nr));
  // Threads that take columns read B once.
  constexpr int64_t kLeastColumns = 192;
  if (n < 2 * kLeastColumns || !isWorthThreads(m, n, k)) {
    planThreads(blk, m, n, k);
    return;
  }
  if (!ShapedType::isDynamic(roles.sizes[roles.n]))
    blk.nc = std::min(blk.nc, chooseBlock(n, nr, kLeastColumns));
  divide(blk, Blocking::Columns, /*parts=*/8, kLeastColumns);
}

/// A few rows are one tile, which reads B once and where it is: this many.
static constexpr int64_t kMostRowsOfTile = 14;

/// The same where 16 registers let more of them share rows of B: a tile of so
/// many would be one register wide.
static int64_t getMostRowsOfTile(const Product &p) {
  constexpr int64_t kMost = 7;
  bool shares =
      sharesStripsOfB(p.target) && sharesRowsOfB(p.roles, p.target, p.group);
  return shares ? kMost : kMostRowsOfTile;
}

static bool readsRowsOfB(const Product &p) {
  const Roles &roles = p.roles;
  // Panels of the narrow tiles that 16 registers hold do not come from memory
  // fast enough for more than two rows (of f32 with AVX2 on Zen 4, 8 rows are
  // 0.7 times as fast as in place, 1 and 2 rows 1.25 times). Where others read
  // panels, they are what there is of B.
  constexpr int64_t kMostAlongPanels = 2;
  bool readsPanels = p.target.vectorRegisters > 16 || p.m <= kMostAlongPanels ||
                     roles.tileVectors;
  return p.m <= getMostRowsOfTile(p) && p.group == 1 &&
         roles.segments.empty() && roles.bRowsAreContiguous() &&
         roles.rowsAreKnown() &&
         !(readsPanels && readsPackedB(roles, p.target, p.group));
}

/// Whether columns of unknown number are multiplied by rows of a known one, as
/// the pixels of an image are by features.
static bool hasPixels(const Roles &roles) {
  return ShapedType::isDynamic(roles.sizes[roles.n]) && roles.rowsAreKnown() &&
         !roles.usualRows;
}

/// The register tile of sums: all rows where it `readsB`, for which there may
/// be none.
static bool chooseTile(Blocking &blk, Product p, bool readsB) {
  // Pixels by features take up to 1.7 times as long in tiles for any number of
  // columns where they are 9 x 9 to 16 x 16, and 112 x 112 as long in others.
  constexpr int64_t kFewPixels = 14 * 14;
  if (hasPixels(p.roles))
    p.n = kFewPixels;
  const auto &[roles, target, group, m, n, k, bytes] = p;
  bool isOfWords = readsB && halvesWords(roles.body);
  double best = std::numeric_limits<double>::max();
  // Five only where they are all of a row: more of B than that leaves the
  // first cache too soon.
  bool isWideRow = n > 4 * blk.lanes && n <= 5 * blk.lanes;
  // One register holds the broadcast element, nv hold the row of B. Where there
  // are few, another one is left if it can be: sums of pairs need it, and
  // others are faster in 6 x 2 (1024^3 of f32 1.05 times, of i8 1.4 times) than
  // in 4 x 3.
  bool hasSpare =
      target.vectorRegisters <= 16 && !(readsB && m == kMostRowsOfTile);
  int64_t sumRegisters = int64_t(target.vectorRegisters) - (hasSpare ? 2 : 1);
  // Where rows are counted when the program runs, those for few of them read
  // the same panels: eight are to be one tile (1.35 times as fast as two).
  int64_t across = isWideRow ? 5 : 4;
  if (!roles.rowsAreKnown() && target.vectorRegisters > 16 &&
      readsPackedB(roles, target, group))
    across = sumRegisters / (kUsualRows + 1);
  for (int64_t nv = 1; nv <= across; ++nv) {
    if (nv != roles.tileVectors.value_or(nv))
      continue;
    int64_t most = std::min((sumRegisters - nv) / nv, kMostRowsOfTile);
    // 16 rows are two such tiles, rather than of 13 (1.6 times as fast).
    if (roles.tileVectors)
      most = std::min(most, kUsualRows);
    for (int64_t mr = readsB ? m : 1; mr <= most; ++mr) {
      double rows = double(llvm::divideCeil(m, mr));
      // The last panel of columns may be narrower: of many of known rows no
      // reason for other tiles (512 x 1024 x 4096 of bf16 took 1.05 times).
      constexpr int64_t kFewPanels = 4;
      int64_t panels = n / (nv * blk.lanes);
      int64_t last = llvm::divideCeil(n % (nv * blk.lanes), blk.lanes);
      // Chains of 4 cycles on two units want 8 accumulators. Loads beside the
      // multiply-adds cost something where two threads share a core's front
      // end, the more so in wide and flat tiles.
      auto getCost = [&](int64_t nv) {
        double loads = double(mr + nv);
        // Two registers of bf16 become f32 by an instruction each, one by two.
        double casts = !isOfWords ? 0 : nv % 2 ? 2 * nv : nv;
        double sums = double(mr * nv);
        double cycles = std::max({(sums + casts) / 2, loads / 2, 4.0});
        // Beside the steps of k, sums start and go to memory.
        return cycles + 0.5 + loads / 8 + sums * 3 / double(p.k);
      };
      bool isNarrower =
          !isOfWords && (panels < kFewPanels || !roles.rowsAreKnown());
      double cost = rows * double(panels) * getCost(nv);
      if (last)
        cost += rows * getCost(isNarrower ? last : nv);
      if (cost < best * 0.999) {
        best = cost;
        blk.mr = mr;
        blk.nv = nv;
      }
    }
  }
  blk.halvesWords = isOfWords && blk.nv % 2 == 0;
  return blk.mr != 0;
}

/// Blocks where tiles read both operands where they are, which fit the caches.
static void planInPlace(Blocking &blk, const Product &p) {
  const auto &[roles, target, group, m, n, k, bytes] = p;
  int64_t nr = blk.nr();
  blk.packsA = false;
  // What is packed ahead is better still.
  // So is what the first cache does not keep until the next rows of A, where
  // those are many: 128^3 is 1.26 times as fast, with 64 rows 0.97.
  constexpr int64_t kManyRows = 80;
  bool isLarge = m >= kManyRows && k * n * bytes > target.l1Bytes;
  blk.packsB = isLarge || hasPackedB(roles, target, group);
  blk.kc = k;
  blk.mc = llvm::alignTo(m, blk.mr);
  blk.nc = llvm::alignTo(n, nr);
  // Each thread packs the columns of B that it multiplies, as in
  // packsForThreads: 1.3 to 1.9 times as fast on two. With few steps of k, the
  // results are most of what is read and written, and better off in whole rows.
  constexpr int64_t kLeastDepth = 16;
  if (isLarge && k >= kLeastDepth && n >= 2 * nr && isWorthThreads(m, n, k)) {
    blk.nc = nr;
    blk.parallel = Blocking::Columns;
    return;
  }
  planThreads(blk, m, n, k);
}

/// How much of k, and how many rows of A, packed operands have in the caches at
/// once, in packed elements of `bytes`. A transposed operand is packed in
/// squares of `square` elements of k; tiles take as many. Returns the k that is
/// computed.
static int64_t chooseDepth(Blocking &blk, const Product &p, int64_t bytes,
                           int64_t square, bool isTile) {
  const Roles &roles = p.roles;
  const CPUTarget &target = p.target;
  int64_t k = p.k;
  // Wide tiles use each row of a panel of B so often that it may as well come
  // from the second level: with a first one of 32 KiB, three times as much k
  // saves partial sums, and rows of A are read in longer parts. On Zen 4 that
  // is 1.01 to 1.05 times as fast for one product, and 1.1 times for a layer of
  // an encoder in bf16.
  int64_t nearBytes = target.l1Bytes;
  if (target.hasMaskedMemory && nearBytes <= 32 * 1024)
    nearBytes *= 3;
  blk.kc = llvm::alignDown(
      std::clamp<int64_t>(nearBytes * 2 / 3 / (blk.nr() * bytes), 64,
                          p.group == 4 ? 1024 : 512),
      64);
  bool isStatic = !ShapedType::isDynamic(roles.sizes[roles.k]);
  if (isStatic && !roles.segments.empty() && 2 * k <= blk.kc) {
    int64_t count = getSizeOr(roles, roles.segments);
    k = llvm::alignTo(k, isTile ? square : p.group);
    blk.segments = std::min(std::max<int64_t>(blk.kc / k, 1), count);
    blk.kc = blk.segments * k;
  } else {
    // A few rows, in a sixteenth of the second level, go along panels that are
    // packed ahead: 4 rows by 4096 x 4096 of bf16 and i8 are 1.02 and 1.2 times
    // as fast as with a depth of 512 (Zen 4).
    if (p.m <= kMostRowsOfTile && !isTile &&
        readsPackedB(roles, target, p.group))
      blk.kc = std::max<int64_t>(
          blk.kc, llvm::alignDown(target.l2Bytes / 16 / (p.m * bytes), square));
    // Partial sums of tiles pass through memory: half of the second level has
    // 128 rows of A, with all of k that fits (with AMX, 1.1 to 1.25 times as
    // fast where there are 2048 steps and more as with blocks of 1024, also
    // where it is not known how many there are). Of a segment, twice as much as
    // of other registers, for which a quarter more is still better than partial
    // sums, or five eighths where A is not packed (measured).
    constexpr int64_t kRowsOfA = 128, kMostDepth = 4096;
    if (isTile && roles.segments.empty())
      blk.kc = std::clamp<int64_t>(
          llvm::alignDown(target.l2Bytes / 2 / (kRowsOfA * bytes), square),
          square, kMostDepth);
    else if (isTile && (isStatic || p.group == 2))
      blk.kc *= 2;
    int64_t most = isTile       ? blk.kc
                   : blk.packsA ? blk.kc + blk.kc / 4
                                : blk.kc + blk.kc * 5 / 8;
    if (isStatic && k <= most)
      blk.kc = k;
    blk.kc = std::min<int64_t>(blk.kc, llvm::alignTo(k, square));
    // Blocks of about one size: a short last one costs as much memory traffic.
    if (isStatic)
      blk.kc = llvm::divideCeil(k, llvm::divideCeil(k, blk.kc));
    blk.kc = llvm::alignTo(blk.kc, square);
  }
  blk.mc = std::clamp<int64_t>(target.l2Bytes / 2 / (blk.kc * bytes), 64, 768);
  return k;
}

/// Blocks of packed operands.
static void planPacked(Blocking &blk, Product p, bool isTile) {
  const Roles &roles = p.roles;
  int64_t nr = blk.nr(), m = p.m, n = p.n;
  // In packed elements, which a group instruction leaves narrow.
  int64_t bytes = p.group > 1 ? 4 / p.group : p.bytes;
  int64_t square = p.group * blk.lanes;
  blk.packsA = !readsRowsOfA(roles, p.target) && !roles.readsTilesOfA;
  int64_t k = p.k = chooseDepth(blk, p, bytes, square, isTile);
  // Their partial sums are worth more of the second level than A is.
  bool isCut = isTile && k > blk.kc;
  if (isCut)
    blk.mc = std::min<int64_t>(blk.mc, 256);
  blk.mc = std::max(blk.mr, blk.mc / blk.mr * blk.mr);
  blk.mc = std::min<int64_t>(blk.mc, llvm::alignTo(m, blk.mr));
  // All of k is packed at once, into the second level of caches for few rows,
  // else into a part of the last one, even where one block of A has all rows:
  // it is packed again for each block of columns (320 to 768 rows of f32 are
  // 1.04 to 1.1 times as fast on Zen 5; not measured with tiles). Twice as much
  // of it with tiles: a depth of 8192 and more of bf16 is 1.2 times as fast.
  constexpr int64_t kFewRows = 256;
  // Blocks of a size that is not known are of a usual one's.
  constexpr int64_t kUsual = 1024;
  int64_t segments = getSizeOr(roles, roles.segments);
  int64_t depth = llvm::alignTo(getSizeOr(roles, roles.k, kUsual),
                                isTile ? square : p.group) *
                  segments * bytes;
  int64_t few = isTile ? std::max(blk.mc, kFewRows) : kFewRows;
  bool isKnown = llvm::none_of(roles.sizes, ShapedType::isDynamic);
  int64_t budget = m <= few ? p.target.l2Bytes / 2 : (isTile ? 16 : 8) << 20;
  blk.nc = std::max(
      nr,
      std::clamp<int64_t>(budget / depth, 64, isCut ? 1024 : 2048) / nr * nr);
  // Blocks of B may be narrow where A is not packed for each: as narrow as A is
  // high, if the second cache holds that.
  if (roles.readsTilesOfA && !isKnown)
    blk.panelBytes = p.target.l2Bytes / 2;
  else if (roles.readsTilesOfA && m * depth <= p.target.l2Bytes / 2)
    blk.nc = std::min(
        blk.nc,
        std::max(nr, std::max(p.target.l2Bytes / 2 / depth, m) / nr * nr));
  blk.nc = std::min<int64_t>(blk.nc, llvm::alignTo(n, nr));
  int64_t work = isTile ? getDepthOfTiles(m, n, k) : k;
  bool isWorth = isWorthThreads(m, n, work * segments);
  bool isPlain = (roles.segments.empty() || !blk.packsA) && isKnown;
  bool mayShare = blk.packsA || roles.readsTilesOfA;
  if (isPlain && isWorth && mayShare && packsForThreads(blk, p, isTile))
    return;
  // Few enough rows for one block of them: then B is in the second level, and
  // who multiplies it has packed it. Where A is not packed, nobody waits for
  // anybody: 256^3 is 1.3 times as fast on two threads. So are up to 128 rows
  // of bf16 or i8 (1.0 to 1.26 times on two threads), whose B would fit whole.
  // With tiles and long rows, which take long to pack, so do all rows of one
  // block of A: a layer of an encoder with 512 tokens, whose casts are packed
  // with them, is 1.07 times as fast in bf16, and 1.12 times on two threads.
  // Rows of up to 1 KiB are 0.87 to 0.95 times as fast then (i8).
  // Of more rows, with tiles, blocks of columns are narrow enough for threads
  // to have several (200 x 2000 x 1000 of i8 is 1.1 and on two 1.5 times as
  // fast, 250 x 2048 x 200 of bf16 1.0 and 1.5 times).
  constexpr int64_t kFewerRows = 128, kBlocks = 8, kColumns = 256;
  bool isLongBlock =
      isTile && m > kFewRows && m <= few && depth >= kLongRowOfTiles;
  bool isFew = isPlain && (m <= kFewRows || isLongBlock);
  if (isFew && isLongBlock)
    blk.nc = std::min<int64_t>(
        blk.nc, std::max<int64_t>(nr, p.target.l2Bytes / 4 / depth / nr * nr));
  if (isFew && !blk.packsA)
    blk.nc = std::min<int64_t>(blk.nc,
                               llvm::alignTo(llvm::divideCeil(n, kBlocks), nr));
  else if (isFew && m <= kFewerRows && isWorth)
    blk.nc = std::min(blk.nc, chooseBlock(n, nr, nr));
  else if (isFew && isTile && isWorth)
    blk.nc = std::min(blk.nc, chooseBlock(n, nr, kColumns));
  if (isFew && 2 * blk.nc <= n) {
    blk.packsAllOfA = blk.packsA;
    // 3136 columns are 8 of 400, rather than 3 of 1024 and one of 64.
    if (blk.packsA)
      blk.nc = std::min(blk.nc, chooseBlock(n, nr, nr));
    blk.mc = llvm::alignTo(m, blk.mr);
    if (isWorth)
      blk.parallel = Blocking::Columns;
    return;
  }
  // So do pixels by features: 128 x 128 by 28 x 28 of them are 1.1 (bf16) and
  // 1.3 times (f32) as fast on two threads.
  constexpr int64_t kMostColumns = 512;
  bool hasDepth = (roles.segments.empty() || !blk.packsA) &&
                  !ShapedType::isDynamic(roles.sizes[roles.k]);
  if (hasPixels(roles) && hasDepth && isWorth && !isTile && m <= kFewRows) {
    blk.packsAllOfA = blk.packsA;
    blk.mc = llvm::alignTo(m, blk.mr);
    blk.nc = std::min<int64_t>(blk.nc, llvm::alignTo(kMostColumns, nr));
    divide(blk, Blocking::Columns, /*parts=*/8, nr);
    return;
  }
  // Of other sizes that are not known, so many columns that packing A again for
  // each block is little of the work.
  bool areFew = m <= kFewRows ||
                (isTile && hasDepth && m <= few && depth >= kLongRowOfTiles);
  if (roles.usualRows && areFew && isWorth && n >= 2 * kColumns) {
    blk.nc = llvm::alignTo(kColumns, nr);
    if (isTile) {
      blk.panelBytes = p.target.l2Bytes / 2;
      // As known numbers of rows have it, whose buffer needs a known depth.
      blk.packsAllOfA = blk.packsA && hasDepth;
      if (blk.packsAllOfA)
        blk.mc = llvm::alignTo(m, blk.mr);
    }
    divide(blk, Blocking::Columns, /*parts=*/8,
           isTile ? kColumns : kColumns / 2);
    return;
  }
  // Each thread packs for its rows here, too, in blocks that the second cache
  // holds, and where A is packed for each of them, if there is but one.
  bool isBatched = !roles.others.empty();
  if (isTile && !isKnown && !isBatched && m >= kMostRowsOfTiles) {
    if (!blk.packsA && (!hasDepth || depth <= kMostDepthOfRows)) {
      joinRows(blk, getNearColumns(p.target, /*depth=*/1));
      blk.panelBytes = p.target.l2Bytes / 2;
      return;
    }
    if (hasDepth && !ShapedType::isDynamic(roles.sizes[roles.n]) &&
        packsForRows(blk, p))
      return;
  }
  // Of rows of unknown number, blocks of a usual one's, unless that is little:
  // then of as many as are worth threads.
  int64_t rows = getSizeOr(roles, roles.rows, kUsual);
  if (!isWorthThreads(rows, n, work * segments))
    rows = roles.rowsAreKnown()
               ? m
               : std::max<int64_t>(
                     m, llvm::divideCeil(kLeastWork, n * work * segments));
  int64_t most = blk.mc;
  planThreads(blk, rows, n, work * segments);
  // Few of them are one block, which one thread has: its tiles are faster than
  // what it takes to divide them.
  constexpr int64_t kMostOfOne = 256;
  if (isTile && !roles.rowsAreKnown() && blk.parallel == Blocking::Rows)
    blk.mc = std::min(most, std::max(blk.mc, kMostOfOne / blk.mr * blk.mr));
}

Blocking cpu::chooseBlocking(const Roles &roles, const CPUTarget &target,
                             int64_t group, bool isTile) {
  Blocking blk;
  unsigned bits = roles.body.accType.getIntOrFloatBitWidth();
  blk.lanes = target.lanes(bits);
  Product p{roles,
            target,
            group,
            getSizeOr(roles, roles.rows),
            getSizeOr(roles, roles.n),
            getSizeOr(roles, roles.k),
            bits / 8};
  if (isTile && dotsTiles(roles, target)) {
    planTileDots(blk, p);
    return blk;
  }
  if (isTile && stripsTiles(roles, target)) {
    planTileStrips(blk, p);
    return blk;
  }
  if (int64_t columns = isTile ? 0 : getDotColumns(roles, target)) {
    planDots(blk, p, columns);
    return blk;
  }
  if (!isTile && readsGroups(roles, target)) {
    planGroups(blk, p);
    return blk;
  }
  bool readsB = readsRowsOfB(p);
  if (isTile)
    chooseTileBlock(blk, p);
  else if (!chooseTile(blk, p, readsB)) {
    // The width of panels leaves no registers for all rows.
    readsB = false;
    chooseTile(blk, p, readsB);
  }
  if (readsB)
    planFewRows(blk, p);
  else if (readsInPlace(roles, target, group, blk.nr()))
    planInPlace(blk, p);
  else if (sharesRowsOfB(roles, target, group))
    planSharedRows(blk, p);
  else
    planPacked(blk, p, isTile);
  bool isNear = blk.panelBytes ||
                blk.nc * blk.kc * 4 / group <= int64_t(target.l2Bytes / 2);
  blk.takesRowsFirst = isTile && blk.packsB && isNear;
  if (isTile)
    blk.leastWork = getLeastWorkOfTiles(p.m, p.n, p.k);
  return blk;
}
