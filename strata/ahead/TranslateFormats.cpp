// Conversions, and parts of tensors.
#include "strata/ahead/Translator.h"

#include "strata/ahead/CompiledConversion.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/tensor/StoredFormats.h"

using namespace mlir;

namespace strata {

using host::SizeId, host::TensorId, host::TypeId, host::KernelId;

void Translator::convert(Operation *op, Value from, Value to, std::vector<SizeId> sizes) {
  RankedTensorType source = decided(from), target = decided(to);
  host::Convert convert{tensor(to), typeId(to), tensor(from), -1, {}, std::move(sizes)};
  TensorId rows = -1;
  if (std::optional<CompiledConversion> found = compileConversion(types, source, target)) {
    if (found->rows >= 0) {
      rows = nextTensor++;
      add(op, host::Convert{rows, found->rows, convert.from, found->toRows.kernel,
                            found->toRows.slots, convert.sizes});
      convert.from = rows;
    }
    convert.kernel = found->last.kernel;
    convert.slots = found->last.slots;
  } else {
    ta::FormatAttr own =
        ta::sumOf(source) ? ta::sumOf(source).getParts().front() : ta::formatOf(source);
    listed(from);
    packedType(to, /*silentZero=*/!(own.getFill() && !own.isFull()));
  }
  add(op, std::move(convert));
  if (rows >= 0)
    add(op, host::Release{{rows}});
}

void Translator::translate(ta::ConvertOp op) { convert(op, op.getTensor(), op.getResult(), {}); }

void Translator::translate(ta::ComponentOp op) {
  add(op, host::Component{tensor(op.getResult()), typeId(op.getResult()), tensor(op.getTensor()),
                          int64_t(op.getNumber())});
}

bool Translator::silentZero(Value value) {
  return !result.program.types[size_t(typeId(value))].parts.front().hasFill;
}

void Translator::translate(ta::GatherOp op) {
  add(op,
      host::Gather{tensor(op.getResult()), packedType(op.getResult(), silentZero(op.getResult())),
                   listed(op.getTensor()), placeOf(op.getMap()), sizesOf(op.getSizes()),
                   ta::nameOf(op.getTensor(), "an operand")});
}

void Translator::translate(ta::InsertPartOp op) {
  add(op, host::InsertPart{tensor(op.getResult()),
                           packedType(op.getResult(), silentZero(op.getResult())),
                           listed(op.getPart()), listed(op.getWhole()), placeOf(op.getMap()),
                           sizesOf(op.getSizes()), ta::nameOf(op.getWhole(), "an operand")});
}

} // namespace strata
