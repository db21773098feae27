// Where the pieces of tensors are: text and verification.
#include "strata/dialect/ta/Placements.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace strata::ta {

//===------------------------------------------------------------------------------------------===//
// A place: share(0), entries(0, 1), all, at(2)
//===------------------------------------------------------------------------------------------===//

Attribute PlaceAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return {};
  std::optional<PlaceKind> kind = symbolizePlaceKind(word);
  if (!kind) {
    parser.emitError(loc) << "expected share, entries, all or at";
    return {};
  }
  SmallVector<unsigned> dims;
  int64_t cell = 0;
  if (*kind == PlaceKind::at) {
    if (parser.parseLParen() || parser.parseInteger(cell) || parser.parseRParen())
      return {};
  } else if (*kind != PlaceKind::all) {
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                       [&] { return parser.parseInteger(dims.emplace_back()); }))
      return {};
  }
  return get(parser.getContext(), *kind, dims, cell);
}

void PlaceAttr::print(AsmPrinter &printer) const {
  printer << stringifyPlaceKind(getKind());
  if (getKind() == PlaceKind::at)
    printer << "(" << getCell() << ")";
  if (!cuts())
    return;
  printer << "(";
  llvm::interleaveComma(getDims(), printer);
  printer << ")";
}

//===------------------------------------------------------------------------------------------===//
// Placements
//===------------------------------------------------------------------------------------------===//

PlacementAttr PlacementAttr::get(MLIRContext *context, StringRef machine,
                                 ArrayRef<PlaceAttr> places) {
  return get(context, machine, places, ArrayRef<unsigned>());
}

LogicalResult PlacementAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                    StringRef machine, ArrayRef<PlaceAttr> places,
                                    ArrayRef<unsigned> listed) {
  if (places.empty())
    return emitError() << "a placement has a place for each axis of its machine";
  llvm::SmallSet<unsigned, 8> cut;
  unsigned byEntries = 0;
  for (PlaceAttr place : places) {
    if (place.cuts() && place.getDims().empty())
      return emitError() << "an axis cuts one dimension or more";
    for (unsigned dim : place.getDims())
      if (!cut.insert(dim).second)
        return emitError() << "dimension " << dim << " is cut twice";
    if (place.getCell() < 0)
      return emitError() << "cells count from 0";
    byEntries += place.getKind() == PlaceKind::entries;
  }
  // Cells that share entries may list their coordinates; an interval is no list.
  for (PlaceAttr place : places)
    if (place.getKind() == PlaceKind::entries)
      for (unsigned dim : place.getDims())
        cut.erase(dim);
  for (unsigned dim : listed)
    if (!cut.insert(dim).second)
      return emitError() << "dimension " << dim << " is cut or listed twice";
  if (byEntries > 1)
    return emitError() << "one axis at most cuts by entries";
  return success();
}

LogicalResult DistributedAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                      Attribute stored, PlacementAttr placement) {
  if (!isa<FormatAttr, SumAttr>(stored))
    return emitError() << "a piece is stored in a format, or a sum of formats";
  if (isa<SumAttr>(stored) && llvm::any_of(placement.getPlaces(), [](PlaceAttr place) {
        return place.getKind() == PlaceKind::entries;
      }))
    return emitError() << "what is stored in several parts is cut by coordinates only";
  return success();
}

LogicalResult
DistributedAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                llvm::function_ref<InFlightDiagnostic()> emitError) const {
  SmallVector<unsigned> dims(getPlacement().getListed());
  for (PlaceAttr place : getPlacement().getPlaces())
    llvm::append_range(dims, place.getDims());
  for (unsigned dim : dims)
    if (dim >= shape.size())
      return emitError() << "a tensor of order " << shape.size() << " has no dimension " << dim;
  return cast<VerifiableTensorEncoding>(getStored()).verifyEncoding(shape, elementType, emitError);
}

std::string placementText(PlacementAttr placement, ArrayRef<std::string> dimensions) {
  std::string text = (placement.getMachine() + "(").str();
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(placement.getPlaces(), os, [&](PlaceAttr place) {
    ArrayRef<unsigned> dims = place.getDims();
    if (place.getKind() == PlaceKind::all)
      os << "*";
    else if (place.getKind() == PlaceKind::at)
      os << place.getCell();
    else
      os << (place.getKind() == PlaceKind::entries ? "~" : "") << (dims.size() > 1 ? "(" : "");
    llvm::interleaveComma(dims, os, [&](unsigned dim) { os << dimensions[dim]; });
    os << (dims.size() > 1 ? ")" : "");
  });
  os << ")";
  return text;
}

//===------------------------------------------------------------------------------------------===//
// Machines: (x = 4, y = ?, z = "n")
//===------------------------------------------------------------------------------------------===//

ParseResult parseAxes(OpAsmParser &parser, ArrayAttr &axes, DenseI64ArrayAttr &cells,
                      ArrayAttr &parameters) {
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> names, given;
  SmallVector<int64_t> numbers;
  auto axis = [&]() -> ParseResult {
    std::string name, parameter;
    int64_t number = 0;
    if (parser.parseKeywordOrString(&name) || parser.parseEqual())
      return failure();
    if (OptionalParseResult parsed = parser.parseOptionalInteger(number); parsed.has_value()) {
      if (failed(*parsed))
        return failure();
    } else if (failed(parser.parseOptionalQuestion()) && parser.parseString(&parameter)) {
      return failure();
    }
    names.push_back(builder.getStringAttr(name));
    numbers.push_back(number);
    given.push_back(builder.getStringAttr(parameter));
    return success();
  };
  if (parser.parseCommaSeparatedList(axis))
    return failure();
  axes = builder.getArrayAttr(names);
  cells = builder.getDenseI64ArrayAttr(numbers);
  parameters = builder.getArrayAttr(given);
  return success();
}

void printAxes(OpAsmPrinter &printer, Operation *, ArrayAttr axes, DenseI64ArrayAttr cells,
               ArrayAttr parameters) {
  for (size_t at = 0; at < axes.size(); ++at) {
    printer << (at ? ", " : "");
    printer.printKeywordOrString(cast<StringAttr>(axes[at]).getValue());
    printer << " = ";
    if (StringRef parameter = cast<StringAttr>(parameters[at]).getValue(); !parameter.empty())
      printer << '"' << parameter << '"';
    else if (cells[at])
      printer << cells[at];
    else
      printer << "?";
  }
}

LogicalResult MachineOp::verify() {
  if (getAxes().empty() || getAxes().size() != getCells().size() ||
      getAxes().size() != getParameters().size())
    return emitOpError("has an axis, or several, each with a number of cells");
  for (int64_t cells : getCells())
    if (cells < 0)
      return emitOpError("has an axis with a negative number of cells");
  llvm::SmallPtrSet<Attribute, 4> names;
  for (Attribute name : getAxes())
    if (!names.insert(name).second)
      return emitOpError("has two axes called ") << name;
  return success();
}

} // namespace strata::ta
