// Tensors as handles: adopted, packed and converted.
#include "strata/api/Ranks.h"

#include "strata/compile/ProgramKernels.h"
#include "strata/conversion/Conversion.h"
#include "strata/conversion/Packing.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/host/Pack.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/run/Executor.h"
#include "strata/run/Output.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/Fill.h"
#include "strata/tensor/Validate.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace strata;
using namespace strata::api;
using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Storage;

namespace strata::api {

Handle<strata_tensor> tensorOf(strata_session &session, TensorValue value) {
  FormatFacts &facts = factsOf(session, value.type);
  return tensorOf(session, std::move(value), facts);
}

Handle<strata_tensor> tensorOf(strata_session &session, TensorValue value, FormatFacts &facts) {
  auto tensor = Handle<strata_tensor>::adopt(new strata_tensor);
  tensor->session = Handle<strata_session>(&session);
  tensor->format = Handle<strata_format>::adopt(new strata_format(session, facts));
  tensor->value = std::move(value);
  tensor->value.source = nullptr;
  return tensor;
}

} // namespace strata::api

static strata_error *checkSizes(llvm::ArrayRef<int64_t> sizes) {
  for (int64_t size : sizes)
    if (size < 0)
      return makeError(STRATA_ERROR_SHAPE, runtime::Error::Size,
                       llvm::formatv("a dimension cannot have the size {0}", size).str());
  return nullptr;
}

//===------------------------------------------------------------------------------------------===//
// From buffers
//===------------------------------------------------------------------------------------------===//

static bool isWidth(int32_t type) {
  return llvm::is_contained({STRATA_I8, STRATA_I16, STRATA_I32, STRATA_I64}, type);
}

// The format with the widths that these arrays have; an error if they contradict it.
static strata_error *decideWidths(const strata_format &format, llvm::ArrayRef<strata_array> arrays,
                                  DecidedWidths &decided) {
  ta::FormatAttr attribute = ta::formatOf(format.type());
  SmallVector<ta::LevelAttr> levels(attribute.getLevels());
  size_t at = 0;
  for (auto [number, level] : llvm::enumerate(levels)) {
    unsigned positions = 0, coordinates = 0; // as the arrays have them
    for (const BufferSpec &buffer : levelBuffers(attribute, number)) {
      int32_t given = arrays[at++].type;
      unsigned bits = isWidth(given) ? unsigned(8 * strata_type_bytes(given)) : 0;
      if (buffer.kind == BufferKind::Position)
        positions = bits;
      else if (buffer.kind == BufferKind::Coordinate)
        coordinates = bits;
    }
    level = level.withOpenWidths(positions, coordinates);
  }
  decided.type = ta::withFormat(format.type(), attribute.withLevels(levels));
  decided.buffers =
      bufferTypes(ta::withFormat(decided.type, ta::formatOf(decided.type).withOpenWidths(64, 64)));
  decided.facts = &factsOf(*format.session, decided.type);
  for (auto [number, array] : llvm::enumerate(arrays)) {
    decided.arrays.push_back(array.type);
    if (array.type != decided.buffers[number])
      return makeError(STRATA_ERROR_TYPE, Refusal::Arrays,
                       llvm::formatv("array {0} ('{1}') has elements of {2}, not of {3}", number,
                                     format.facts->arrays[number].name,
                                     runtime::typeName(strata_type(array.type)),
                                     runtime::typeName(decided.buffers[number]))
                           .str());
  }
  return nullptr;
}

// The same, kept for the next arrays of these types.
static strata_error *widthsOf(const strata_format &format, llvm::ArrayRef<strata_array> arrays,
                              const DecidedWidths *&found) {
  for (const DecidedWidths &known : format.facts->decided)
    if (llvm::equal(known.arrays, arrays,
                    [](int32_t type, const strata_array &array) { return type == array.type; })) {
      found = &known;
      return nullptr;
    }
  DecidedWidths decided;
  if (strata_error *error = decideWidths(format, arrays, decided))
    return error;
  format.facts->decided.push_back(std::move(decided));
  found = &format.facts->decided.back();
  return nullptr;
}

// There are as many arrays as the format has, and each has memory.
static strata_error *checkArrays(const strata_format &format, llvm::ArrayRef<strata_array> arrays) {
  if (strata_error *error = refusePlaces(format))
    return error;
  if (ta::sumOf(format.type()))
    return makeError(STRATA_ERROR_UNSUPPORTED, Refusal::Arrays,
                     "a tensor in the hybrid format " + llvm::Twine(format.name()) +
                         " is not made of arrays: convert one to it");
  if (arrays.size() != format.facts->arrays.size())
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Arrays,
                     llvm::formatv("the format {0} has {1} arrays, not {2}", format.name(),
                                   format.facts->arrays.size(), arrays.size())
                         .str());
  for (auto [number, array] : llvm::enumerate(arrays))
    if (array.count < 0 || (array.count > 0 && !array.data))
      return makeError(STRATA_ERROR_ARGUMENT, Refusal::Arrays,
                       llvm::formatv("array {0} ('{1}') has no memory", number,
                                     format.facts->arrays[number].name)
                           .str());
  return nullptr;
}

static strata_error *copyInto(Storage &storage, llvm::ArrayRef<strata_array> arrays) {
  for (auto [number, array] : llvm::enumerate(arrays)) {
    if (runtime::Status made = storage.allocate(int64_t(number), array.count); !made.ok())
      return makeError(STRATA_ERROR_MEMORY, made.error());
    if (array.count > 0)
      memcpy(storage.buffer(int64_t(number)).data, array.data,
             size_t(array.count * strata_type_bytes(array.type)));
  }
  return nullptr;
}

strata_error *strata_tensor_from_buffers(strata_session *session, const strata_format *format,
                                         const int64_t *sizes, const strata_array *arrays,
                                         int32_t count, int32_t flags, strata_release_fn release,
                                         void *state, strata_tensor **tensor) {
  llvm::scope_exit giveBack([&] { // when the turn has ended
    if (release)
      release(state);
  });
  Turn turn(session->turn);
  llvm::ArrayRef<strata_array> given(arrays, size_t(std::max(count, 0)));
  if (strata_error *error = checkArrays(*format, given))
    return error;
  llvm::ArrayRef<int64_t> shape(sizes, size_t(format->type().getRank()));
  if (strata_error *error = checkSizes(shape))
    return error;
  const DecidedWidths *widths = nullptr;
  if (strata_error *error = widthsOf(*format, given, widths))
    return error;
  auto owned = std::make_unique<Storage>(shape.vec(), widths->buffers);
  bool adopts = flags & STRATA_ADOPT;
  if (adopts)
    for (auto [number, array] : llvm::enumerate(given))
      owned->adopt(int64_t(number), array.data, array.count, strata_type(array.type));
  else if (strata_error *error = copyInto(*owned, given))
    return error;
  TensorValue value{widths->type, {}, nullptr};
  if (adopts && release) {
    giveBack.release();
    value.storage = std::shared_ptr<Storage>(owned.release(), [release, state](Storage *storage) {
      delete storage;
      release(state);
    });
  } else {
    value.storage = std::move(owned);
  }
  if (flags & STRATA_VALIDATE)
    if (runtime::Status fine = validate(value); !fine.ok())
      return makeError(STRATA_ERROR_ARGUMENT, fine.error());
  *tensor = tensorOf(*session, std::move(value), *widths->facts).release();
  return nullptr;
}

//===------------------------------------------------------------------------------------------===//
// From lists
//===------------------------------------------------------------------------------------------===//

static int64_t coordinateAt(const strata_array &column, int64_t entry) {
  return column.type == STRATA_I32 ? static_cast<const int32_t *>(column.data)[entry]
                                   : static_cast<const int64_t *>(column.data)[entry];
}

static std::optional<int64_t> firstOutside(const strata_array &column, int64_t size) {
  for (int64_t entry = 0; entry < column.count; ++entry)
    if (int64_t crd = coordinateAt(column, entry); crd < 0 || crd >= size)
      return entry;
  return std::nullopt;
}

// The type with the widths that a tensor of so many entries gets.
static RankedTensorType withWidths(const strata_format &format, llvm::ArrayRef<int64_t> sizes,
                                   int64_t entries) {
  unsigned width = widthFor(sizes, entries);
  return ta::withOpenWidths(format.type(), width, width);
}

// Why a tensor with so many entries could not be stored in a format.
static strata_error *notStored(const Reports &reports, RankedTensorType type,
                               llvm::ArrayRef<int64_t> sizes, int64_t entries,
                               const runtime::Error &failed) {
  if (!failed.shown && !checkWidths(type, sizes, entries).ok())
    return makeError(STRATA_ERROR_WIDTH, failed);
  return reports.error(failed);
}

static strata_error *copyList(const strata_format &format, llvm::ArrayRef<int64_t> sizes,
                              int64_t count, const strata_array *coordinates, strata_array values,
                              std::optional<Coordinates> &list) {
  if (count < 0)
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Arrays,
                     llvm::formatv("a tensor has no {0} entries", count).str());
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    const strata_array &column = coordinates[dim];
    if (count > 0 && !column.data)
      return makeError(STRATA_ERROR_ARGUMENT, Refusal::Arrays,
                       llvm::formatv("the coordinates of dimension {0} have no memory", dim).str());
    if (column.type != STRATA_I32 && column.type != STRATA_I64)
      return makeError(STRATA_ERROR_TYPE, Refusal::Arrays,
                       "coordinates are integers of 32 or 64 bits");
    if (column.type != coordinates[0].type || column.count != count)
      return makeError(STRATA_ERROR_ARGUMENT, Refusal::Arrays,
                       "the coordinates of all dimensions have one type and one length");
    if (std::optional<int64_t> outside = firstOutside(column, size))
      return makeError(
          STRATA_ERROR_SHAPE, runtime::Error::Coordinate,
          llvm::formatv("entry {0} has the coordinate {1} in dimension {2}, whose size is {3}",
                        *outside, coordinateAt(column, *outside), dim, size)
              .str());
  }
  if (values.count != count || strata_type_bytes(values.type) == 0)
    return makeError(
        STRATA_ERROR_ARGUMENT, Refusal::Arrays,
        llvm::formatv("there are {0} values for {1} entries", values.count, count).str());
  if (count > 0 && !values.data)
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Arrays, "the values have no memory");
  strata_type width = sizes.empty() ? STRATA_I32 : strata_type(coordinates[0].type);
  Result<Coordinates> made =
      Coordinates::create(sizes.vec(), width, strata_type(values.type), count);
  if (!made)
    return makeError(STRATA_ERROR_MEMORY, made.error());
  for (size_t dim = 0; dim < sizes.size() && count > 0; ++dim)
    memcpy(made->column(int(dim)).data(), coordinates[dim].data,
           size_t(count * strata_type_bytes(width)));
  if (count > 0)
    memcpy(made->values().data(), values.data, size_t(count * strata_type_bytes(values.type)));
  if (runtime::Status fits = made->convertValues(strata_format_type(&format)); !fits.ok())
    return makeError(STRATA_ERROR_TYPE, fits.error());
  list = std::move(*made);
  return nullptr;
}

strata_error *strata_tensor_from_coordinates(strata_session *session, const strata_format *format,
                                             const int64_t *sizes, int64_t count,
                                             const strata_array *coordinates, strata_array values,
                                             int32_t duplicates, strata_tensor **tensor) {
  return inTurn(*session, [&]() -> strata_error * {
    llvm::ArrayRef<int64_t> shape(sizes, size_t(format->type().getRank()));
    if (strata_error *error = refusePlaces(*format))
      return error;
    if (strata_error *error = checkSizes(shape))
      return error;
    std::optional<Coordinates> list;
    if (strata_error *error = copyList(*format, shape, count, coordinates, values, list))
      return error;
    if (duplicates == STRATA_REFUSE_DUPLICATES) {
      if (runtime::Status sorted = list->sort(); !sorted.ok())
        return makeError(STRATA_ERROR_MEMORY, sorted.error());
      if (!list->isStrictlySorted())
        return makeError(STRATA_ERROR_ARGUMENT, runtime::Error::RepeatedPlace,
                         "several entries have the same coordinates");
    }
    Reports reports(*session);
    RankedTensorType type = withWidths(*format, shape, count);
    Result<TensorValue> packed = pack(session->compiler, std::move(*list), type, nullptr,
                                      /*force=*/true, ta::formatOf(type).getFill());
    if (!packed)
      return notStored(reports, type, shape, count, packed.error());
    *tensor = tensorOf(*session, std::move(*packed)).release();
    return nullptr;
  });
}

// The fill everywhere: nothing is found out of the format that is known already.
static strata_error *fillAll(strata_session &session, FormatFacts &facts,
                             llvm::ArrayRef<int64_t> sizes, strata_tensor **tensor) {
  Result<Storage> filled = host::filled(*facts.full, sizes.vec(), facts.full->fill);
  if (!filled)
    return makeError(STRATA_ERROR_MEMORY, filled.error());
  TensorValue value{facts.type, std::make_shared<Storage>(std::move(*filled)), nullptr};
  *tensor = tensorOf(session, std::move(value), facts).release();
  return nullptr;
}

strata_error *strata_tensor_empty(strata_session *session, const strata_format *format,
                                  const int64_t *sizes, strata_tensor **tensor) {
  return inTurn(*session, [&]() -> strata_error * {
    llvm::ArrayRef<int64_t> shape(sizes, size_t(format->type().getRank()));
    if (strata_error *error = refusePlaces(*format))
      return error;
    if (strata_error *error = checkSizes(shape))
      return error;
    if (format->facts->full)
      return fillAll(*session, *format->facts, shape, tensor);
    RankedTensorType type = withWidths(*format, shape, 0);
    Reports reports(*session);
    Result<TensorValue> filled =
        filledTensor(session->compiler, type, shape.vec(), ta::fillOf(type));
    if (!filled)
      return reports.error(filled.error());
    *tensor = tensorOf(*session, std::move(*filled)).release();
    return nullptr;
  });
}

//===------------------------------------------------------------------------------------------===//
// Formats
//===------------------------------------------------------------------------------------------===//

strata_error *strata_tensor_convert(strata_tensor *tensor, const strata_format *format,
                                    strata_tensor **result) {
  strata_session &session = *tensor->session;
  return inTurn(session, [&]() -> strata_error * {
    if (strata_error *error = refusePieces(*tensor))
      return error;
    if (strata_error *error = refusePlaces(*format))
      return error;
    if (format->type().getRank() != tensor->value.type.getRank())
      return makeError(STRATA_ERROR_SHAPE, runtime::Error::Order,
                       llvm::formatv("the tensor has {0}, the format {1}",
                                     counted(tensor->value.type.getRank(), "dimension"),
                                     format->type().getRank())
                           .str());
    RankedTensorType type = withWidths(*format, tensor->value.sizes(), tensor->value.storedCount());
    if (withShape(type, tensor->value.type.getShape()) == tensor->value.type) {
      *result = strata_tensor_retain(tensor);
      return nullptr;
    }
    Reports reports(session);
    Result<TensorValue> converted =
        convert(session.compiler, tensor->value, type, nullptr, /*force=*/true);
    if (!converted)
      return notStored(reports, type, tensor->value.sizes(), tensor->value.storedCount(),
                       converted.error());
    *result = tensorOf(session, std::move(*converted)).release();
    return nullptr;
  });
}

strata_error *strata_tensor_copy(strata_tensor *tensor, strata_tensor **result) {
  strata_session &session = *tensor->session;
  Turn turn(session.turn);
  Result<TensorValue> copy = cloned(tensor->value);
  if (!copy)
    return makeError(STRATA_ERROR_MEMORY, copy.error());
  *result = tensorOf(session, std::move(*copy)).release();
  (*result)->machine = tensor->machine;
  return nullptr;
}

strata_error *strata_tensor_validate(strata_tensor *tensor) {
  Turn turn(tensor->session->turn);
  llvm::SmallVector<const TensorValue *> values = {&tensor->value};
  if (tensor->value.pieces) {
    values.clear();
    for (const TensorPieces::Piece &piece : tensor->value.pieces->own)
      values.push_back(&piece.tensor);
  }
  for (const TensorValue *value : values)
    if (runtime::Status fine = validate(*value); !fine.ok())
      return makeError(STRATA_ERROR_ARGUMENT, fine.error());
  return nullptr;
}

//===------------------------------------------------------------------------------------------===//
// What tensors are
//===------------------------------------------------------------------------------------------===//

strata_tensor *strata_tensor_retain(strata_tensor *tensor) {
  tensor->retain();
  return tensor;
}

void strata_tensor_release(strata_tensor *tensor) {
  if (!tensor)
    return;
  // The session's context knows the tensor's type, and must outlive it.
  Handle<strata_session> session = tensor->session;
  tensor->release();
}

int32_t strata_tensor_order(const strata_tensor *tensor) {
  return int32_t(tensor->value.sizes().size());
}

const int64_t *strata_tensor_sizes(const strata_tensor *tensor) {
  return tensor->value.sizes().data();
}

const strata_format *strata_tensor_format(const strata_tensor *tensor) {
  return tensor->format.get();
}

int64_t strata_tensor_stored(const strata_tensor *tensor) { return tensor->value.storedCount(); }

static int64_t bytesOf(const TensorValue &tensor) {
  int64_t bytes = 0;
  for (const TensorValue &part : tensor.parts)
    bytes += bytesOf(part);
  if (tensor.pieces)
    for (const TensorPieces::Piece &piece : tensor.pieces->own)
      bytes += bytesOf(piece.tensor);
  for (int64_t at = 0; tensor.storage && at < tensor.storage->bufferCount(); ++at)
    bytes += tensor.storage->buffer(at).count * strata_type_bytes(tensor.storage->buffer(at).type);
  return bytes;
}

int64_t strata_tensor_bytes(const strata_tensor *tensor) { return bytesOf(tensor->value); }

strata_array strata_tensor_array(const strata_tensor *tensor, int32_t index) {
  const TensorValue &value = tensor->value;
  if (!value.storage || index < 0 || index >= value.storage->bufferCount())
    return {nullptr, 0, 0};
  const strata_buffer &buffer = value.storage->buffer(index);
  return {buffer.data, buffer.count, buffer.type};
}
