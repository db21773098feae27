// Tensors in pieces: how they come onto a machine, and what each rank has of them.
#include "strata/api/Ranks.h"

#include "strata/conversion/Conversion.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/runtime/Counted.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace strata;
using namespace strata::api;
using strata::runtime::Result;

//===------------------------------------------------------------------------------------------===//
// Onto a machine, and from it
//===------------------------------------------------------------------------------------------===//

static strata_error *checkOrder(RankedTensorType type, const strata_format &format) {
  if (type.getRank() == format.type().getRank())
    return nullptr;
  return makeError(STRATA_ERROR_SHAPE, runtime::Error::Order,
                   llvm::formatv("the tensor has {0}, the format {1}",
                                 counted(type.getRank(), "dimension"), format.type().getRank())
                       .str());
}

// B(i,j) = A(i,j), which moves what lies elsewhere.
static strata_error *move(strata_tensor *tensor, const strata_format *format,
                          llvm::ArrayRef<strata_machine *> machines, strata_tensor **result) {
  const std::string place = llvm::join(ta::indexNames(unsigned(format->type().getRank())), ",");
  const std::string text =
      place.empty() ? std::string("B = A") : "B(" + place + ") = A(" + place + ")";
  const strata_operand operand = {"A", tensor->format.get()};
  strata_statement_options options = {};
  options.result = format;
  options.machines = machines.data();
  options.machine_count = int32_t(machines.size());
  strata_statement *statement = nullptr;
  if (strata_error *error = strata_statement_create(tensor->session.get(), text.c_str(), &operand,
                                                    1, &options, &statement))
    return error;
  strata_error *error = strata_statement_run(statement, &tensor, 1, result);
  strata_statement_release(statement);
  return error;
}

strata_error *strata_tensor_place(strata_tensor *tensor, const strata_format *format,
                                  strata_machine *machine, strata_tensor **result) {
  if (strata_error *error = checkOrder(tensor->value.type, *format))
    return error;
  llvm::SmallVector<strata_machine *> machines;
  for (strata_machine *one : {tensor->machine.get(), machine})
    if (one)
      machines.push_back(one);
  if (machines.empty())
    return format->facts->machine.empty() ? strata_tensor_convert(tensor, format, result)
                                          : makeError(STRATA_ERROR_ARGUMENT, Refusal::Machine,
                                                      "no machine '" + format->facts->machine +
                                                          "' is given, which the format names");
  return move(tensor, format, machines, result);
}

// The type of pieces that lie anywhere: as if they were cut by their entries.
static RankedTensorType placedAnywhere(RankedTensorType type, const strata_machine &machine) {
  MLIRContext *context = type.getContext();
  SmallVector<ta::PlaceAttr> places(
      machine.cells.size(),
      ta::PlaceAttr::get(context, ta::PlaceKind::all, ArrayRef<unsigned>(), 0));
  const SmallVector<unsigned> dims = llvm::to_vector(llvm::seq(0U, unsigned(type.getRank())));
  places.front() = ta::PlaceAttr::get(context, ta::PlaceKind::entries, dims, 0);
  RankedTensorType open =
      withShape(type, SmallVector<int64_t>(size_t(type.getRank()), ShapedType::kDynamic));
  return ta::withPlacement(open, ta::PlacementAttr::get(context, machine.name, places));
}

static strata_error *checkPiece(const strata_tensor &piece, ArrayRef<int64_t> sizes,
                                const int64_t *first) {
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (const int64_t extent = piece.value.sizes()[dim];
        size < 0 || first[dim] < 0 || first[dim] > size || extent > size - first[dim])
      return makeError(STRATA_ERROR_SHAPE, runtime::Error::Coordinate,
                       llvm::formatv("a piece of {0} from {1} on does not lie in dimension {2}, "
                                     "whose size is {3}",
                                     counted(extent, "coordinate"), first[dim], dim, size)
                           .str());
  return nullptr;
}

// The tensor of which `piece` is what this rank has.
static strata_error *piecesOf(strata_machine &machine, ArrayRef<int64_t> sizes,
                              strata_tensor *piece, const int64_t *first,
                              Handle<strata_tensor> &tensor) {
  strata_session &session = *piece->session;
  TensorValue own = piece->value;
  if (ta::sumOf(own.type)) { // of which entries cannot be counted off
    auto plain = RankedTensorType::get(own.type.getShape(), own.type.getElementType());
    const unsigned width = widthFor(own.sizes(), own.storedCount());
    RankedTensorType list =
        ta::withFormat(plain, ta::coordinateFormat(&session.context, unsigned(plain.getRank()),
                                                   /*nonuniqueLeaf=*/false)
                                  .withOpenWidths(width, width));
    Reports reports(session);
    Result<TensorValue> converted = convert(session.compiler, own, list, nullptr, /*force=*/true);
    if (!converted)
      return reports.error(converted.error());
    own = std::move(*converted);
  }
  TensorPieces::Piece one{machine.ranks->rank, {{first, first + sizes.size()}, {}}, true, own};
  for (auto [begin, extent] : llvm::zip(one.box.lo, own.sizes()))
    one.box.hi.push_back(begin + extent);
  auto pieces = std::make_shared<TensorPieces>(TensorPieces{sizes.vec(), {std::move(one)}});
  TensorValue value{placedAnywhere(own.type, machine), nullptr};
  value.pieces = std::move(pieces);
  tensor = tensorOf(session, std::move(value));
  tensor->machine = Handle<strata_machine>(&machine);
  return nullptr;
}

strata_error *strata_tensor_from_piece(strata_machine *machine, const strata_format *format,
                                       const int64_t *sizes, strata_tensor *piece,
                                       const int64_t *first, strata_tensor **result) {
  strata_session &session = *machine->ranks->session;
  Handle<strata_tensor> tensor;
  strata_error *error = inTurn(session, [&]() -> strata_error * {
    ArrayRef<int64_t> shape(sizes, size_t(format->type().getRank()));
    strata_error *error = checkOrder(piece->value.type, *format);
    if (!error)
      error = refusePieces(*piece);
    if (!error)
      error = checkPiece(*piece, shape, first);
    if (!error)
      error = piecesOf(*machine, shape, piece, first, tensor);
    Together together(machine->ranks.get());
    return together.end(error ? error : together.agree(format->facts->text));
  });
  return error ? error : move(tensor.get(), format, {machine}, result);
}

//===------------------------------------------------------------------------------------------===//
// The pieces of a rank
//===------------------------------------------------------------------------------------------===//

static const TensorPieces::Piece *findPiece(const strata_tensor *tensor, int32_t index) {
  const std::shared_ptr<const TensorPieces> &pieces = tensor->value.pieces;
  return pieces && index >= 0 && size_t(index) < pieces->own.size() ? &pieces->own[size_t(index)]
                                                                    : nullptr;
}

strata_machine *strata_tensor_machine(const strata_tensor *tensor) { return tensor->machine.get(); }

int32_t strata_tensor_piece_count(const strata_tensor *tensor) {
  return tensor->value.pieces ? int32_t(tensor->value.pieces->own.size()) : 0;
}

strata_error *strata_tensor_piece(strata_tensor *tensor, int32_t index, strata_tensor **piece) {
  Turn turn(tensor->session->turn);
  const TensorPieces::Piece *found = findPiece(tensor, index);
  if (!found)
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Argument,
                     llvm::formatv("this rank has {0} of the tensor, and no number {1}",
                                   counted(strata_tensor_piece_count(tensor), "piece"), index)
                         .str());
  *piece = tensorOf(*tensor->session, found->tensor).release();
  return nullptr;
}

int64_t strata_tensor_piece_cell(const strata_tensor *tensor, int32_t index) {
  const TensorPieces::Piece *piece = findPiece(tensor, index);
  return piece ? piece->cell : -1;
}

const int64_t *strata_tensor_piece_first(const strata_tensor *tensor, int32_t index) {
  const TensorPieces::Piece *piece = findPiece(tensor, index);
  return piece ? piece->box.lo.data() : nullptr;
}

const int64_t *strata_tensor_piece_end(const strata_tensor *tensor, int32_t index) {
  const TensorPieces::Piece *piece = findPiece(tensor, index);
  return piece ? piece->box.hi.data() : nullptr;
}
