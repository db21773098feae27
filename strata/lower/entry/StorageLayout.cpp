// Storages as buffers and sizes, and views of their levels.
#include "strata/lower/entry/StorageLayout.h"

#include "strata/level/Emission.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/SlotNumbering.h"
#include "strata/lower/utils/EmitAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace strata {

StorageValues::StorageValues(ta::StorageType type, std::string name)
    : type(type), format(type.getFormat()), map(type.getFormat().getDimToLvl()),
      name(std::move(name)) {}

static Type widthType(MLIRContext *context, unsigned width) {
  return IntegerType::get(context, width ? width : 64);
}
Type StorageValues::positionType(unsigned level) const {
  return widthType(type.getContext(), format.getLevels()[level].getPosWidth());
}
Type StorageValues::coordinateType(unsigned level) const {
  return widthType(type.getContext(), format.getLevels()[level].getCrdWidth());
}

const LevelFormat &StorageValues::level(unsigned at) const {
  return *findLevelFormat(format.getLevels()[at].getName());
}

SmallVector<BufferSpec> levelBuffers(ta::FormatAttr format, unsigned level) {
  SmallVector<BufferSpec> buffers = findLevelFormat(format.getLevels()[level].getName())->buffers();
  if (format.interleaving(level).leader != level)
    llvm::erase_if(buffers, [](BufferSpec spec) { return spec.kind == BufferKind::Coordinate; });
  if (format.isSlot(level))
    buffers.push_back({"slots", BufferKind::Word});
  return buffers;
}

SmallVector<std::string> bufferNames(ta::FormatAttr format, const std::string &tensor) {
  SmallVector<std::string> names;
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl)
    for (const BufferSpec &spec : levelBuffers(format, lvl))
      names.push_back(tensor + std::to_string(lvl + 1) + "_" + spec.name.str());
  for (unsigned dim : format.sortedDims())
    for (const char *what : {"_order", "_ranks"})
      names.push_back(tensor + "_dim" + std::to_string(dim + 1) + what);
  names.push_back(tensor + "_vals");
  return names;
}

static int64_t firstBufferOf(ta::FormatAttr format, unsigned level) {
  int64_t first = 0;
  for (unsigned above = 0; above < level; ++above)
    first += int64_t(levelBuffers(format, above).size());
  return first;
}

SmallVector<int64_t> visibleBuffers(ta::FormatAttr format, unsigned level) {
  auto isShared = [](const BufferSpec &spec) { return spec.kind == BufferKind::Coordinate; };
  unsigned leader = format.interleaving(level).leader;
  SmallVector<BufferSpec> others = levelBuffers(format, leader);
  int64_t shared =
      firstBufferOf(format, leader) + (llvm::find_if(others, isShared) - others.begin());
  int64_t own = firstBufferOf(format, level);
  SmallVector<int64_t> numbers;
  for (const BufferSpec &spec : findLevelFormat(format.getLevels()[level].getName())->buffers())
    numbers.push_back(leader != level && isShared(spec) ? shared : own++);
  if (format.isSlot(level))
    numbers.push_back(own);
  return numbers;
}

int64_t StorageValues::firstBuffer(unsigned at) const {
  return firstBufferOf(format, at) +
         (at == format.getLvlRank() ? 2 * int64_t(format.sortedDims().size()) : 0);
}

Value SortedValues::coordinateOf(OpBuilder &b, Location loc, Value rank) const {
  LevelView view{.b = b, .loc = loc};
  return emit::loadPosition(view, order, rank);
}
Value SortedValues::rankOf(OpBuilder &b, Location loc, Value coordinate) const {
  LevelView view{.b = b, .loc = loc};
  return emit::loadPosition(view, ranks, coordinate);
}

PositionRange PathValues::last(OpBuilder &b, Location loc) const {
  if (!positions.empty())
    return positions.back();
  return {arith::ConstantIndexOp::create(b, loc, 0)};
}

//===------------------------------------------------------------------------------------------===//
// Views
//===------------------------------------------------------------------------------------------===//

void clampCoordinates(LevelView &view, int64_t factor, Value rest, Value size) {
  OpBuilder &b = view.b;
  Location loc = view.loc;
  Value one = emit::constant(view, 1), k = emit::constant(view, std::abs(factor));
  Value low, high;
  if (factor > 0) { // from -rest / k, rounded up
    auto divided = [&](Value x) {
      return factor == 1 ? x : arith::CeilDivSIOp::create(b, loc, x, k).getResult();
    };
    low = divided(emit::sub(view, emit::constant(view, 0), rest));
    high = divided(emit::sub(view, size, rest));
  } else { // up to rest / k, rounded down
    auto divided = [&](Value x) {
      return factor == -1 ? x : arith::FloorDivSIOp::create(b, loc, x, k).getResult();
    };
    low = emit::add(view, divided(emit::sub(view, rest, size)), one);
    high = emit::add(view, divided(rest), one);
  }
  view.lo = arith::MaxSIOp::create(b, loc, view.lo, low);
  view.hi = arith::MinSIOp::create(b, loc, view.hi, high);
}

LevelView viewLevel(OpBuilder &b, Location loc, const StorageValues &storage, unsigned level,
                    ArrayRef<Value> ancestors) {
  LevelProperties root{.full = true, .compact = true};
  const ta::Extent<Value> &extent = storage.extents[level];
  ta::Interleaving lying = storage.format.interleaving(level);
  LevelView view{.b = b,
                 .loc = loc,
                 .properties = ta::levelProperties(storage.format, level),
                 .parentProperties = level ? ta::levelProperties(storage.format, level - 1) : root,
                 .root = level == 0,
                 .buffers = storage.buffers[level],
                 .signedCrd = storage.format.hasSignedCoordinates(level),
                 .first = extent.first,
                 .extent = extent.extent,
                 .lo = extent.first,
                 .hi = b.createOrFold<arith::AddIOp>(loc, extent.first, extent.extent),
                 .stride = lying.stride,
                 .offset = lying.offset,
                 .implied = Value(),
                 .parameter = storage.format.getLevels()[level].getParameter()};
  for (const ta::SolvedDim &solved : storage.map.solvedAt[level]) {
    int64_t factor = 0;
    AffineExpr rest;
    bool whole = isa<AffineDimExpr>(solved.value);
    if (whole || !ta::splitLinear(solved.value, level, factor, rest) || factor == 0)
      continue;
    clampCoordinates(view, factor, emitAffine(b, loc, rest, ancestors), storage.sizes[solved.dim]);
  }
  if (AffineExpr implied = storage.map.implied[level])
    view.implied = emitAffine(b, loc, implied, ancestors);
  return view;
}

//===------------------------------------------------------------------------------------------===//
// Arguments
//===------------------------------------------------------------------------------------------===//

namespace {

// Arithmetic for extents, on SSA values.
struct IndexMath {
  OpBuilder &b;
  Location loc;
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(loc, x, y); }
  Value sub(Value x, Value y) { return b.createOrFold<arith::SubIOp>(loc, x, y); }
  Value mul(Value x, Value y) { return b.createOrFold<arith::MulIOp>(loc, x, y); }
  Value ceilDiv(Value x, Value y) { return b.createOrFold<arith::CeilDivUIOp>(loc, x, y); }
};

class ArgumentList {
public:
  ArgumentList(Block *block, OpBuilder &b) : block(block), b(b) {}

  Value add(Type type, const Twine &what, const Twine &name) {
    described.push_back(b.getStringAttr(what));
    return block->addArgument(type, NameLoc::get(b.getStringAttr(name)));
  }
  // A buffer is a bare pointer without aliases, and its size; inside the two make a memref.
  Value addBuffer(Type element, const std::string &which, const std::string &name, Value &size) {
    element = emit::typeInMemory(element);
    Value handle = add(MemRefType::get({1}, element), "buffer " + which, name);
    size = add(b.getIndexType(), "count " + which, name + "_size");
    return memref::ReinterpretCastOp::create(b, handle.getLoc(), emit::bufferType(element), handle,
                                             b.getIndexAttr(0), ArrayRef<OpFoldResult>{size},
                                             ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  }

  SmallVector<Attribute> described;

private:
  Block *block;
  OpBuilder &b;
};

std::string nameOf(BlockArgument argument) {
  if (auto named = dyn_cast<NameLoc>(argument.getLoc()))
    return named.getName().str();
  return "t" + std::to_string(argument.getArgNumber());
}

Type elementType(const StorageValues &storage, unsigned level, BufferKind kind) {
  switch (kind) {
  case BufferKind::Position:
    return storage.positionType(level);
  case BufferKind::Coordinate:
    return storage.coordinateType(level);
  case BufferKind::Word:
    return IntegerType::get(storage.type.getContext(), 64);
  case BufferKind::Byte:
    break;
  }
  return IntegerType::get(storage.type.getContext(), 8);
}

void addBuffers(StorageValues &storage, ArgumentList &list, unsigned number) {
  SmallVector<std::string> names = bufferNames(storage.format, storage.name);
  unsigned index = 0;
  Value size;
  auto next = [&](Type element, Value &size) {
    std::string which = std::to_string(number) + " " + std::to_string(index);
    return list.addBuffer(element, which, names[index++], size);
  };
  SmallVector<Value> all;
  for (unsigned lvl = 0; lvl < storage.format.getLvlRank(); ++lvl)
    for (const BufferSpec &spec : levelBuffers(storage.format, lvl))
      all.push_back(next(elementType(storage, lvl, spec.kind), size));
  for (unsigned lvl = 0; lvl < storage.format.getLvlRank(); ++lvl)
    for (int64_t number : visibleBuffers(storage.format, lvl))
      storage.buffers[lvl].push_back(all[number]);
  Type word = IntegerType::get(storage.type.getContext(), 64);
  for (unsigned dim : storage.format.sortedDims()) {
    SortedValues &sorted = storage.sorted[dim];
    sorted.order = next(word, size);
    sorted.ranks = next(word, size);
  }
  storage.values = next(storage.type.getElementType(), storage.entries);
}

} // namespace

// Of a slot, as many coordinates as the storage says; a result's are not known before it is built.
static void addExtents(StorageValues &storage, OpBuilder &b, Location loc) {
  IndexMath math{b, loc};
  for (auto [lvl, expr] : llvm::enumerate(storage.format.getDimToLvl().getResults())) {
    if (!storage.format.isSlot(lvl)) {
      storage.extents.push_back(ta::extentOf<Value>(expr, ArrayRef<Value>(storage.sizes), math));
      continue;
    }
    LevelView view{.b = b, .loc = loc};
    Value zero = math.constant(0);
    Value slots = storage.buffers[lvl].empty()
                      ? zero
                      : emit::loadPosition(view, storage.buffers[lvl].back(), zero);
    storage.extents.push_back({zero, slots});
  }
}

void layOutArguments(func::FuncOp kernel, OpBuilder &b, bool updatesResult,
                     SmallVectorImpl<std::unique_ptr<StorageValues>> &storages,
                     SmallVectorImpl<Value> &others, Value &context) {
  Block &old = kernel.getBody().front();
  Block *fresh = b.createBlock(&kernel.getBody(), kernel.getBody().end());
  ArgumentList list(fresh, b);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext()), index = b.getIndexType();
  context = list.add(pointer, "context", "context");
  unsigned extents = 0;
  for (BlockArgument argument : old.getArguments()) {
    auto type = dyn_cast<ta::StorageType>(argument.getType());
    if (!type) {
      std::string name = nameOf(argument);
      others.push_back(list.add(argument.getType(), "extent " + Twine(extents++), name));
      continue;
    }
    unsigned number = storages.size();
    auto storage = std::make_unique<StorageValues>(type, nameOf(argument));
    storage->buffers.resize(storage->format.getLvlRank());
    if (number == 0)
      storage->handle = list.add(pointer, "storage 0", storage->name);
    for (int64_t dim = 0; dim < type.getTensor().getRank(); ++dim)
      storage->sizes.push_back(list.add(index, "size " + Twine(number) + " " + Twine(dim),
                                        storage->name + Twine(dim + 1) + "_size"));
    if (number != 0 || updatesResult)
      addBuffers(*storage, list, number);
    addExtents(*storage, b, kernel.getLoc());
    storages.push_back(std::move(storage));
  }
  // How many slots the result has, where that is known before, comes last.
  if (assumes(kernel, Assumptions::Slots))
    storages.front()->extents[slotNumbering(storages.front()->format)->level].extent =
        others.back();
  kernel->setAttr("strata.arguments", b.getArrayAttr(list.described));
  kernel.setFunctionType(b.getFunctionType(fresh->getArgumentTypes(), {}));
  for (BlockArgument argument : fresh->getArguments())
    if (isa<MemRefType>(argument.getType()))
      kernel.setArgAttr(argument.getArgNumber(), "llvm.noalias", b.getUnitAttr());
}

} // namespace strata
