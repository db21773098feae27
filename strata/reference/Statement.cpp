// From a ta.compute to the interpreter's tree.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Statement.h"

#include "strata/runtime/Counted.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/raw_ostream.h"

#include <bit>

namespace strata::reference {

using runtime::Error;
using runtime::Result;
using runtime::Status;

int64_t Statement::count(VariableSet set) const {
  llvm::SmallVector<int64_t> chosen;
  for (unsigned variable : members(set))
    chosen.push_back(extents[variable]);
  return countCoordinates(chosen);
}

bool Statement::takesPart(const Environment &environment) const {
  if (!mask)
    return true;
  const Tensor &tensor = inputs[mask->input];
  int64_t entry = tensor.find(mask->place.at(environment));
  ElementType type = tensor.type();
  Number value = entry < 0 ? mask->fill : tensor.value(entry);
  bool there = mask->full || entry >= 0;
  if (mask->padded)
    there &= !equal(type, value, mask->fill);
  bool passes = there && (mask->structural || !equal(type, value, numberOf(type, 0)));
  return passes != mask->complement;
}

namespace {
class Reader {
public:
  Reader(ta::ComputeOp op, Statement &statement, const Tensor *init, IndexValue indexValue)
      : op(op), statement(statement), init(init), indexValue(indexValue) {}

  Status read();

private:
  Result<int64_t> index(mlir::Value value);
  Status bindVariables(mlir::Block::BlockArgListType variables, mlir::ValueRange extents,
                       VariableSet &set);
  Status readTypes();
  Status readMask(llvm::ArrayRef<unsigned> numbers);
  Status checkTensor(mlir::Value declared, const Tensor &tensor, const std::string &name);
  Status checkBounds(const AffineCoordinate &coordinate, std::span<const int64_t> sizes,
                     VariableSet variables, const std::string &use);
  Result<Expression> expression(mlir::Value value);
  Result<Expression> constant(mlir::Operation *op);
  Result<Expression> access(ta::AccessOp access);
  Result<Expression> reduction(ta::ReduceOp reduce);
  Result<Expression> elementOperation(mlir::Operation *op);

  ta::ComputeOp op;
  Statement &statement;
  const Tensor *init;
  IndexValue indexValue;
  llvm::DenseMap<mlir::Value, unsigned> variables;
};
} // namespace

static std::string text(mlir::Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

// What a tensor of this type is worth where nothing is stored. What a full format stores for
// absent coordinates counts as stored.
static Result<Scalar> absentOf(mlir::RankedTensorType type) {
  auto element = elementType(type.getElementType());
  auto fill = numberOf(ta::fillOf(type));
  if (!element || !storedType(*element) || !fill)
    return Error{Error::Unsupported,
                 "the reference does not know elements of type " + text(type.getElementType())};
  return Scalar{.number = readAs(*element, *fill), .known = !ta::formatOf(type).isFull()};
}

//===------------------------------------------------------------------------------------------===//
// Variables, sizes, types
//===------------------------------------------------------------------------------------------===//

Result<int64_t> Reader::index(mlir::Value value) {
  if (std::optional<int64_t> given = indexValue ? indexValue(value) : std::nullopt)
    return *given;
  llvm::APInt constant;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
    return constant.getSExtValue();
  if (auto dim = value.getDefiningOp<ta::DimOp>())
    for (auto [declared, tensor] : llvm::zip(op.getInputs(), statement.inputs))
      if (declared == dim.getTensor() && dim.getDim() < tensor.order())
        return tensor.sizes()[dim.getDim()];
  if (auto dim = value.getDefiningOp<ta::DimOp>())
    if (init && op.getInit() == dim.getTensor())
      return init->sizes()[dim.getDim()];
  if (auto same = value.getDefiningOp<ta::SameSizeOp>())
    return index(same.getSizes().front());
  return Error{Error::Unsupported, "the reference was not given the value of an index",
               "an extent or a size"};
}

Status Reader::bindVariables(mlir::Block::BlockArgListType arguments, mlir::ValueRange extents,
                             VariableSet &set) {
  for (auto [argument, extent] : llvm::zip(arguments, extents)) {
    auto variable = static_cast<unsigned>(statement.extents.size());
    if (variable == maxVariables)
      return Error{Error::Unsupported, "the statement has more than " +
                                           std::to_string(maxVariables) + " index variables"};
    Result<int64_t> value = index(extent);
    if (!value)
      return value.takeStatus();
    if (*value < 0)
      return Error{Error::Size,
                   "an index variable has the negative extent " + std::to_string(*value)};
    statement.extents.push_back(*value);
    variables[argument] = variable;
    set |= VariableSet(1) << variable;
  }
  return {};
}

Status Reader::checkTensor(mlir::Value declared, const Tensor &tensor, const std::string &name) {
  auto type = mlir::cast<mlir::RankedTensorType>(declared.getType());
  bool agrees = type.getRank() == tensor.order();
  for (unsigned d = 0; agrees && d < tensor.order(); ++d)
    agrees = type.isDynamicDim(d) || type.getDimSize(d) == tensor.sizes()[d];
  if (!agrees)
    return Error{Error::Extent, name + " has the sizes " + reference::text(tensor.sizes()),
                 "a tensor of type " + text(type)};
  if (elementType(type.getElementType()) != tensor.type())
    return Error{Error::ElementType, name + " has elements of another type",
                 "elements of type " + text(type)};
  return {};
}

Status Reader::readTypes() {
  auto type = mlir::cast<mlir::RankedTensorType>(op.getResult().getType());
  Result<Scalar> fill = absentOf(type);
  if (!fill)
    return fill.takeStatus();
  statement.type = *elementType(type.getElementType());
  statement.stored = *storedType(statement.type);
  statement.fill = *fill;
  statement.full = ta::formatOf(type).isFull();
  statement.padded = !statement.full && ta::formatOf(type).hasPadding();
  statement.drops = op.getDropsFills();
  auto size = op.getSizes().begin();
  for (int64_t d = 0; d < type.getRank(); ++d) {
    Result<int64_t> value = type.isDynamicDim(d) ? index(*size++) : type.getDimSize(d);
    if (!value)
      return value.takeStatus();
    statement.sizes.push_back(*value);
  }
  for (auto [number, pair] : llvm::enumerate(llvm::zip(op.getInputs(), statement.inputs))) {
    auto [declared, tensor] = pair;
    Status checked = checkTensor(declared, tensor, "operand " + std::to_string(number));
    if (!checked.ok())
      return checked;
  }
  if (bool(op.getInit()) != bool(init))
    return Error{Error::Unsupported, init ? "an init was given that the statement does not have"
                                          : "the init is missing"};
  if (!init)
    return {};
  statement.init = *init;
  if (init->sizes() != statement.sizes)
    return Error{Error::Extent, "the init has the sizes " + reference::text(init->sizes()),
                 "those of the result, " + reference::text(statement.sizes)};
  return checkTensor(op.getInit(), *init, "the init");
}

Status Reader::checkBounds(const AffineCoordinate &coordinate, std::span<const int64_t> sizes,
                           VariableSet variables, const std::string &use) {
  if (statement.count(variables) == 0)
    return {};
  for (unsigned d = 0; d < coordinate.order(); ++d) {
    bool exact;
    auto [least, greatest] = coordinate.bounds(d, statement.extents, exact);
    if (exact && (least < 0 || greatest >= sizes[d]))
      return Error{Error::Coordinate,
                   use + " reaches from " + std::to_string(least) + " to " +
                       std::to_string(greatest) + " in dimension " + std::to_string(d + 1),
                   "coordinates from 0 to " + std::to_string(sizes[d] - 1)};
  }
  return {};
}

//===------------------------------------------------------------------------------------------===//
// Expressions
//===------------------------------------------------------------------------------------------===//

Result<Expression> Reader::constant(mlir::Operation *op) {
  Expression result;
  std::optional<Number> number;
  if (auto constant = mlir::dyn_cast<mlir::complex::ConstantOp>(op)) {
    auto real = numberOf(constant.getValue()[0]), imaginary = numberOf(constant.getValue()[1]);
    if (real && imaginary)
      number = Number{{real->value.real(), imaginary->value.real()}};
  } else {
    number = numberOf(mlir::cast<mlir::arith::ConstantOp>(op).getValue());
  }
  auto type = elementType(op->getResult(0).getType());
  if (!number || !type)
    return Error{Error::Unsupported, "the reference does not know constants of type " +
                                         text(op->getResult(0).getType())};
  result.type = *type;
  result.absent = {.number = *number, .known = true, .literal = true};
  result.total = true;
  return result;
}

Result<Expression> Reader::access(ta::AccessOp access) {
  Expression result;
  result.kind = Expression::Kind::access;
  auto type = mlir::cast<mlir::RankedTensorType>(access.getTensor().getType());
  Result<Scalar> absent = absentOf(type);
  if (!absent)
    return absent.takeStatus();
  result.absent = *absent;
  result.absent.missing = access.getMissing() && !ta::formatOf(type).isFull();
  result.padded = result.absent.missing && ta::formatOf(type).hasPadding();
  // Inside the statement integers have no sign.
  result.type = *elementType(access.getResult().getType());
  result.absent.number = readAs(result.type, result.absent.number);
  mlir::ValueRange inputs = op.getInputs();
  result.input = static_cast<unsigned>(llvm::find(inputs, access.getTensor()) - inputs.begin());
  llvm::SmallVector<unsigned> numbers;
  for (mlir::Value variable : access.getIndices()) {
    if (!variables.contains(variable))
      return Error{Error::Unsupported,
                   "an access uses an index that is no index variable of the statement"};
    numbers.push_back(variables[variable]);
  }
  result.coordinate = AffineCoordinate(access.getMap(), numbers);
  result.variables = result.coordinate.variables();
  result.total = statement.inputs[result.input].complete();
  // Where variables have no values, nothing is read; and a variable of no use to this access may
  // well be the one without values, so an access out of bounds is only sure in between.
  VariableSet all = llvm::maskTrailingOnes<uint64_t>(statement.extents.size());
  const Tensor &tensor = statement.inputs[result.input];
  Status checked = checkBounds(result.coordinate, tensor.sizes(), all,
                               "the access to operand " + std::to_string(result.input));
  if (!checked.ok())
    return checked;
  return result;
}

// Tells whether the body is a constant behind masks. Where these are there it is a term.
static bool masksConstant(const Expression &body) {
  bool masks = body.kind == Expression::Kind::element &&
               (body.element.op == Operator::masked || body.element.op == Operator::unmasked ||
                body.element.op == Operator::filter);
  return masks &&
         (body.operands[0].kind == Expression::Kind::constant || masksConstant(body.operands[0]));
}

bool isNoTerm(const Expression &reduction, const Scalar &value) {
  bool masked = value.masked && !masksConstant(reduction.operands[0]);
  return value.missing ||
         ((value.known || masked) && !value.undefined &&
          equal(reduction.type, value.number, identity(reduction.combine, reduction.type)));
}

// Nothing is stored: combines the absent value of the body over all values of the variables.
static Scalar absentOfReduction(const Statement &statement, const Expression &reduction) {
  const Scalar &body = reduction.operands[0].absent;
  Number neutral = identity(reduction.combine, reduction.type);
  if (isNoTerm(reduction, body))
    return {.number = neutral, .known = true, .undefined = false, .missing = reduction.missing};
  Accumulator accumulator;
  accumulator.add(reduction.combine, reduction.type, body,
                  static_cast<uint64_t>(statement.count(reduction.reduced)));
  return accumulator.value(reduction.combine, reduction.type, reduction.missing);
}

Result<Expression> Reader::reduction(ta::ReduceOp reduce) {
  Expression result;
  result.kind = Expression::Kind::reduction;
  result.combine = reduce.getCombine();
  result.missing = reduce.getMissing();
  Status bound = bindVariables(reduce.getVariables(), reduce.getExtents(), result.reduced);
  if (!bound.ok())
    return bound;
  Result<Expression> body = expression(reduce.getYielded());
  if (!body)
    return body;
  result.type = body->type;
  result.variables = body->variables & ~result.reduced;
  result.total = body->total && statement.count(result.reduced) > 0;
  bool ordered = result.combine == ta::Combine::min || result.combine == ta::Combine::max ||
                 result.combine == ta::Combine::umin || result.combine == ta::Combine::umax;
  if (ordered && result.type.family == ElementType::Family::complex)
    return Error{Error::Unsupported, "complex numbers have no minimum and no maximum"};
  result.operands.push_back(std::move(*body));
  result.absent = absentOfReduction(statement, result);
  return result;
}

Result<Expression> Reader::elementOperation(mlir::Operation *op) {
  Expression result;
  result.kind = Expression::Kind::element;
  std::optional<Element> element = elementOf(op);
  if (!element) {
    std::string name = op->getName().getStringRef().str();
    return Error{Error::Unsupported,
                 "the reference does not know the operation " + name + " with result " +
                     (op->getNumResults() ? text(op->getResult(0).getType()) : "none")};
  }
  result.element = *element;
  result.type = element->result;
  result.total = true;
  llvm::SmallVector<Scalar> absents;
  for (mlir::Value value : op->getOperands()) {
    Result<Expression> operand = expression(value);
    if (!operand)
      return operand;
    result.variables |= operand->variables;
    result.total &= operand->total;
    absents.push_back(operand->absent);
    result.operands.push_back(std::move(*operand));
  }
  result.absent = valueOf(result.element, absents);
  // Of a place; there is none here, and no value that it has at all of them.
  if (result.element.ofLabels)
    result.absent.known = result.absent.literal = false;
  return result;
}

Result<Expression> Reader::expression(mlir::Value value) {
  mlir::Operation *definition = value.getDefiningOp();
  if (!definition)
    return Error{Error::Unsupported, "the statement uses a value of type " + text(value.getType()) +
                                         " from outside as a number"};
  if (mlir::isa<mlir::arith::ConstantOp, mlir::complex::ConstantOp>(definition))
    return constant(definition);
  if (auto read = mlir::dyn_cast<ta::AccessOp>(definition))
    return access(read);
  if (auto reduce = mlir::dyn_cast<ta::ReduceOp>(definition))
    return reduction(reduce);
  return elementOperation(definition);
}

// The mask, and what becomes of places that get no value.
Status Reader::readMask(llvm::ArrayRef<unsigned> numbers) {
  statement.joins = op.getJoins();
  statement.empties = bool(op.getEmptyAttr());
  statement.emptied = statement.fill.number;
  if (mlir::TypedAttr given = op.getEmptyAttr())
    if (std::optional<Number> number = numberOf(given))
      statement.emptied = readAs(statement.type, *number);
  if (!op.getMask())
    return {};
  auto type = mlir::cast<mlir::RankedTensorType>(op.getMask().getType());
  Result<Scalar> absent = absentOf(type);
  if (!absent)
    return absent.takeStatus();
  Mask mask;
  mlir::ValueRange inputs = op.getInputs();
  mask.input = static_cast<unsigned>(llvm::find(inputs, op.getMask()) - inputs.begin());
  mask.place = AffineCoordinate(*op.getMaskMap(), numbers);
  mask.fill = absent->number;
  mask.full = ta::formatOf(type).isFull();
  mask.padded = !mask.full && ta::formatOf(type).hasPadding();
  mask.complement = op.getComplement();
  mask.structural = op.getStructural();
  statement.mask = std::move(mask);
  statement.replaces = op.getReplace();
  return checkBounds(statement.mask->place, statement.inputs[statement.mask->input].sizes(),
                     statement.left, "the mask");
}

Status Reader::read() {
  if (Status types = readTypes(); !types.ok())
    return types;
  if (Status bound = bindVariables(op.getVariables(), op.getExtents(), statement.left); !bound.ok())
    return bound;
  llvm::SmallVector<unsigned> numbers = llvm::to_vector_of<unsigned>(members(statement.left));
  statement.out = AffineCoordinate(op.getOutMap(), numbers);
  Status checked = checkBounds(statement.out, statement.sizes, statement.left, "the left side");
  if (!checked.ok())
    return checked;
  statement.combine = op.getCombine();
  if (Status mask = readMask(numbers); !mask.ok())
    return mask;
  Result<Expression> value = expression(op.getYielded());
  if (!value)
    return value.takeStatus();
  statement.value = std::move(*value);
  return {};
}

Result<Statement> readStatement(ta::ComputeOp op, std::span<const Tensor> inputs,
                                const Tensor *init, IndexValue indexValue) {
  if (inputs.size() != op.getInputs().size())
    return Error{Error::Unsupported, "the reference was given " + counted(inputs.size(), "operand"),
                 std::to_string(op.getInputs().size())};
  Statement statement;
  statement.inputs.assign(inputs.begin(), inputs.end());
  if (Status read = Reader(op, statement, init, indexValue).read(); !read.ok())
    return read;
  return statement;
}

} // namespace strata::reference
