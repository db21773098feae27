// Conversions, and parts of tensors.
#include "strata/translate/Translator.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/tensor/StoredFormats.h"
#include "strata/translate/CompiledConversion.h"

using namespace mlir;

namespace strata {

using host::SizeId, host::TensorId, host::TypeId, host::KernelId;

void Translator::convert(Operation *op, Value from, Value to, std::vector<SizeId> sizes) {
  RankedTensorType source = decided(from), target = decided(to);
  host::Convert convert{tensor(to), typeId(to), tensor(from), -1, {}, std::move(sizes)};
  TensorId rows = -1;
  if (std::optional<CompiledConversion> found =
          ahead ? compileConversion(*ahead, source, target) : std::nullopt) {
    if (found->rows >= 0) {
      rows = newTensor("rows of " + ta::quotedNameOf(to));
      add(op, host::Convert{rows, found->rows, convert.from, found->toRows.kernel,
                            found->toRows.slots, convert.sizes});
      convert.from = rows;
    }
    convert.kernel = found->last.kernel;
    convert.slots = found->last.slots;
  } else {
    listed(from);
    packedType(to, /*silentZero=*/hasZeroFill(from));
  }
  add(op, std::move(convert));
  if (rows >= 0)
    add(op, host::Release{{rows}});
}

// What is stored where a tensor is: its pieces, or all of it.
static RankedTensorType storedType(RankedTensorType type) {
  return ta::placementOf(type) ? ta::pieceType(type) : type;
}
static RankedTensorType storedType(Value tensor) {
  return storedType(cast<RankedTensorType>(tensor.getType()));
}

// Pieces are taken apart and made as lists of entries.
void Translator::movePieces(Value from, RankedTensorType to, bool silentZero) {
  if (!ahead)
    return;
  ahead->listed(storedType(from));
  ahead->packed(storedType(to), silentZero);
}
void Translator::movePieces(Value from, Value to) {
  movePieces(from, cast<RankedTensorType>(to.getType()), hasZeroFill(to));
}

void Translator::translate(ta::NeedsOp op) {
  if (ahead)
    for (Value tensor : op.getTensors())
      ahead->listed(storedType(tensor));
  add(op, host::Needs{tensor(op.getResult()), typeId(op.getResult()), tensorsOf(op.getTensors()),
                      op.getDims().vec()});
}

void Translator::translate(ta::ReachOp op) {
  add(op, host::ReachList{tensor(op.getResult()), typeId(op.getResult()), size(op.getExtent()),
                          size(op.getCut()), int64_t(op.getAxis()), int64_t(op.getShift()),
                          size(op.getSize()), int64_t(op.getFirst()), int64_t(op.getWidth())});
}

void Translator::translate(ta::FetchOp op) {
  movePieces(op.getTensor(), op.getResult());
  add(op, host::Fetch{tensor(op.getResult()), typeId(op.getResult()), tensor(op.getTensor()),
                      op.getDims().vec(), tensorsOf(op.getLists()), op.comesFromCells()});
}

void Translator::translate(ta::ScatterOp op) {
  if (!op.getInto()) // where rows stay rows
    movePieces(op.getTensor(), op.getResult());
  add(op, host::Scatter{tensor(op.getResult()), typeId(op.getResult()), tensor(op.getTensor()),
                        op.getDims().vec(), tensorsOf(op.getLists()),
                        op.getLike() ? tensor(op.getLike()) : -1,
                        op.getInto() ? tensor(op.getInto()) : -1});
}

void Translator::move(ta::ConvertOp op) {
  movePieces(op.getTensor(), op.getResult());
  add(op, host::Move{tensor(op.getResult()), typeId(op.getResult()), tensor(op.getTensor())});
}

void Translator::translate(ta::ConvertOp op) {
  auto isPlaced = [](Value value) {
    return bool(ta::placementOf(cast<RankedTensorType>(value.getType())));
  };
  if (isPlaced(op.getTensor()) || isPlaced(op.getResult()))
    move(op);
  else
    convert(op, op.getTensor(), op.getResult(), {});
}

void Translator::translate(ta::ComponentOp op) {
  add(op, host::Component{tensor(op.getResult()), typeId(op.getResult()), tensor(op.getTensor()),
                          int64_t(op.getNumber())});
}

void Translator::translate(ta::ValuesOp op) {
  add(op, host::Values{tensor(op.getResult()), typeId(op.getResult()), tensor(op.getTensor()),
                       int64_t(op.getPart())});
}

void Translator::translate(ta::WithValuesOp op) {
  host::WithValues with{tensor(op.getResult()),
                        typeId(op.getResult()),
                        tensor(op.getTensor()),
                        tensorsOf(op.getValues()),
                        {}};
  for (int64_t number : op.getMoved())
    with.ended.push_back(tensor(op->getOperand(unsigned(number))));
  add(op, std::move(with));
}

void Translator::translate(ta::GatherOp op) {
  add(op, host::Gather{tensor(op.getResult()), ownType(op.getResult()), listed(op.getTensor()),
                       placeOf(op.getMap()), sizesOf(op.getSizes()),
                       ta::nameOf(op.getTensor(), "an operand")});
}

void Translator::translate(ta::InsertPartOp op) {
  add(op, host::InsertPart{tensor(op.getResult()), ownType(op.getResult()), listed(op.getPart()),
                           listed(op.getWhole()), placeOf(op.getMap()), sizesOf(op.getSizes()),
                           ta::nameOf(op.getWhole(), "an operand")});
}

} // namespace strata
