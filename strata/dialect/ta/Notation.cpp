// Prints the tree of element operations below a statement.
#include "strata/dialect/ta/Notation.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Signs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace strata::ta {

//===------------------------------------------------------------------------------------------===//
// Locations
//===------------------------------------------------------------------------------------------===//

Location withSourceText(Location place, StringRef text) {
  return FusedLoc::get({place}, StringAttr::get(place.getContext(), text), place.getContext());
}

// Below the name of what the operation defines.
static Location unnamed(Location loc) {
  auto named = dyn_cast<NameLoc>(loc);
  return named ? named.getChildLoc() : loc;
}

// The location of a statement carries them.
void setSchedule(ComputeOp op, ScheduleAttr schedule, ArrayRef<Location> places) {
  op.setScheduleAttr(schedule);
  Location statement = unnamed(op.getLoc());
  if (auto scheduled = dyn_cast<FusedLocWith<ScheduleAttr>>(statement))
    statement = scheduled.getLocations().front();
  SmallVector<Location> all{statement};
  llvm::append_range(all, places);
  Location loc = FusedLoc::get(all, schedule, schedule.getContext());
  auto named = dyn_cast<NameLoc>(op.getLoc());
  op->setLoc(named ? NameLoc::get(named.getName(), loc) : loc);
}

Location placeOfCommand(Operation *op, unsigned command) {
  auto carries = dyn_cast<FusedLocWith<ScheduleAttr>>(unnamed(op->getLoc()));
  ArrayRef<Location> places = carries ? carries.getLocations() : ArrayRef<Location>();
  return command + 1 < places.size() ? places[command + 1] : op->getLoc();
}

StringRef sourceTextOf(Operation *op) {
  Location loc = unnamed(op->getLoc());
  if (auto scheduled = dyn_cast<FusedLocWith<ScheduleAttr>>(loc))
    loc = scheduled.getLocations().front();
  auto carries = dyn_cast<FusedLocWith<StringAttr>>(loc);
  return carries ? carries.getMetadata().getValue() : StringRef();
}

Location inFunction(Location place, StringRef name) {
  return FusedLoc::get({place}, FlatSymbolRefAttr::get(place.getContext(), name),
                       place.getContext());
}

// The function of the language that an element operation is a part of.
static StringRef functionOf(Operation *op) {
  auto carries = dyn_cast<FusedLocWith<FlatSymbolRefAttr>>(op->getLoc());
  return carries ? carries.getMetadata().getValue() : StringRef();
}

//===------------------------------------------------------------------------------------------===//
// Names of operands
//===------------------------------------------------------------------------------------------===//

std::string nameOf(Value tensor, StringRef otherwise) {
  auto named = dyn_cast<NameLoc>(originOf(tensor).getLoc());
  return (named ? named.getName().getValue() : otherwise).str();
}

std::string placeOf(Operation *op) { return placeOf(op->getLoc()); }

std::string placeOf(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "strata";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()))
      .str();
}

std::string quotedNameOf(Value tensor) {
  std::string name = nameOf(tensor, "");
  return name.empty() ? "an operand" : "'" + name + "'";
}

static ComponentOp partOf(Value operand) {
  Operation *def = operand.getDefiningOp();
  while (isa_and_present<ConvertOp, GatherOp, FetchOp>(def))
    def = def->getOperand(0).getDefiningOp();
  return dyn_cast_or_null<ComponentOp>(def);
}

// Of a part of a tensor, what tells it from the others: "_ELL", "_COO"; else nothing.
static std::string partSuffix(Value operand) {
  ComponentOp part = partOf(operand);
  if (!part)
    return "";
  auto wordOf = [](FormatAttr format) {
    std::string name = formatName(format);
    return name.substr(0, StringRef(name).find_if_not(llvm::isAlnum));
  };
  ArrayRef<FormatAttr> parts = sumOf(part.getTensor().getType()).getParts();
  std::string own = wordOf(parts[part.getNumber()]);
  auto alike = llvm::count_if(parts, [&](FormatAttr other) { return wordOf(other) == own; });
  return "_" + (own.empty() || alike > 1 ? std::string(1, char('a' + part.getNumber())) : own);
}

std::string operandName(ComputeOp op, Value operand) {
  Value origin = originOf(operand);
  if (auto named = dyn_cast<NameLoc>(origin.getLoc()))
    return named.getName().str() + partSuffix(operand);
  for (auto [at, input] : llvm::enumerate(op.getInputs()))
    if (input == operand)
      return std::string(1, char('A' + at % 26));
  return "t";
}

//===------------------------------------------------------------------------------------------===//
// Numbers
//===------------------------------------------------------------------------------------------===//

// With as few digits as tell it from other numbers of its type.
static std::string numberText(const APFloat &number) {
  if (number.isNaN())
    return "nan";
  if (number.isInfinity())
    return number.isNegative() ? "-inf" : "inf";
  std::string text;
  for (int digits = 1; digits <= 17; ++digits) {
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, number.convertToDouble());
    if (APFloat(number.getSemantics(), text).bitwiseIsEqual(number))
      break;
  }
  // An exponent without the sign and the zero that C puts in front.
  for (auto [padded, brief] : {std::pair{"e+0", "e"}, {"e-0", "e-"}, {"e+", "e"}})
    if (size_t at = text.find(padded); at != std::string::npos)
      return text.replace(at, StringRef(padded).size(), brief);
  return text;
}

std::string constantText(Attribute value) {
  if (isa<MissingAttr>(value))
    return "nothing";
  if (auto real = dyn_cast<FloatAttr>(value))
    return numberText(real.getValue());
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return llvm::toString(integer.getValue(), 10, !integer.getType().isInteger(1));
  auto number = cast<complex::NumberAttr>(value);
  std::string real = numberText(number.getReal()), imaginary = numberText(number.getImag());
  if (number.getImag().isZero())
    return real;
  if (number.getReal().isZero())
    return imaginary + "i";
  bool negative = StringRef(imaginary).consume_front("-");
  return "(" + real + (negative ? " - " + imaginary.substr(1) : " + " + imaginary) + "i)";
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

// The word between two entries: what @(...) calls the operation.
static std::string joinWord(Operation *op) {
  if (!functionOf(op).empty())
    return functionOf(op).str();
  if (auto masked = dyn_cast<MaskedOp>(op)) {
    auto inner = masked.getValue().getDefiningOp<MaskedOp>();
    return inner && matchPattern(inner.getValue(), m_Constant()) ? "pair" : "first";
  }
  if (std::optional<Sign> sign = infix(op))
    return sign->text.str();
  return functionName(op).str();
}

namespace {

class Printer {
public:
  explicit Printer(ComputeOp op) : op(op) {
    name(op.getVariables(), op.getNames());
    op.getBody().walk<WalkOrder::PreOrder>(
        [&](ReduceOp reduce) { name(reduce.getVariables(), reduce.getNames()); });
  }

  std::string text() {
    auto named = dyn_cast<NameLoc>(op.getLoc());
    std::string left = named ? named.getName().str() : "out";
    if (!op.getOutMap().getResults().empty())
      left += "(" + place(op.getOutMap(), ValueRange(op.getVariables())) + ")";
    Value value = op.getYielded();
    std::string mask = op.getMask() ? maskOfStatement() : maskOf(value), sign;
    if (op.getCombine()) {
      sign = updateSign(*op.getCombine()).str();
      if (Value positive = *op.getCombine() == Combine::add ? negated(value) : Value()) {
        sign = "-";
        value = positive;
      }
    }
    std::string right = expression(value, Loosest);
    return left + mask + " " + sign + "= " + right;
  }

  std::string textOf(Value value) { return expression(value, Loosest); }

private:
  void name(Block::BlockArgListType arguments, std::optional<ArrayAttr> given) {
    for (auto [at, argument] : llvm::enumerate(arguments)) {
      std::string text = "i" + std::to_string(names.size());
      if (given && at < given->size())
        if (auto attr = dyn_cast<StringAttr>((*given)[at]))
          text = attr.str();
      names[argument] = text;
    }
  }

  //===----------------------------------------------------------------------------------------===//
  // Index expressions and masks
  //===----------------------------------------------------------------------------------------===//

  std::string affine(AffineExpr expr, ValueRange dims) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return names[dims[dim.getPosition()]];
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return std::to_string(constant.getValue());
    auto binary = cast<AffineBinaryOpExpr>(expr);
    if (expr.getKind() == AffineExprKind::Add)
      return sum(binary, dims);
    auto inBrackets = [&](AffineExpr operand) {
      std::string text = affine(operand, dims);
      return isa<AffineBinaryOpExpr>(operand) ? "(" + text + ")" : text;
    };
    if (expr.getKind() == AffineExprKind::Mul) {
      auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      std::string other = inBrackets(binary.getLHS());
      return factor && factor.getValue() == -1
                 ? "-" + other
                 : (factor ? std::to_string(factor.getValue()) : inBrackets(binary.getRHS())) +
                       "*" + other;
    }
    StringRef word = expr.getKind() == AffineExprKind::Mod ? " mod " : " floordiv ";
    return inBrackets(binary.getLHS()) + word.str() + inBrackets(binary.getRHS());
  }

  // Terms keep their order, but subtracted ones come last: "9-i".
  std::string sum(AffineBinaryOpExpr expr, ValueRange dims) {
    std::string first = affine(expr.getLHS(), dims), second = affine(expr.getRHS(), dims);
    if (StringRef(first).starts_with("-") && !StringRef(second).starts_with("-"))
      std::swap(first, second);
    return first + (StringRef(second).starts_with("-") ? "" : "+") + second;
  }

  std::string place(AffineMap map, ValueRange dims) {
    SmallVector<std::string> parts;
    for (AffineExpr expr : map.getResults())
      parts.push_back(affine(expr, dims));
    return llvm::join(parts, ",");
  }

  std::string access(AccessOp access) {
    if (auto label = access.getTensor().getDefiningOp<IotaOp>()) {
      AffineExpr variable = getAffineDimExpr(0, op.getContext());
      AffineExpr value = variable * label.getStep() + label.getFirst();
      std::string text = affine(value, access.getIndices());
      return isa<AffineDimExpr>(value) ? text : "(" + text + ")";
    }
    Value tensor = originOf(access.getTensor());
    auto made = tensor.getDefiningOp<ComputeOp>();
    std::string name = operandName(op, access.getTensor());
    // An operand that the front end computed first is shown as the user wrote it.
    if (made && StringRef(name).starts_with("_") && !sourceTextOf(made).empty())
      return "(" + sourceTextOf(made).str() + ")";
    std::string inner = place(access.getMap(), access.getIndices());
    return inner.empty() ? name : name + "(" + inner + ")";
  }

  std::string maskOfStatement() {
    std::string text = op.getComplement() ? "<!" : "<";
    text += operandName(op, op.getMask());
    if (*op.getMaskMap() != op.getOutMap())
      text += "(" + place(*op.getMaskMap(), ValueRange(op.getVariables())) + ")";
    text += op.getStructural() ? ", structural" : "";
    text += op.getReplace() ? ", replace" : "";
    text += op.getPull() ? ", pull" : "";
    return text + ">";
  }

  // Takes the mask off a value that the compiler has put it on. In a sum it stands at the terms.
  std::string maskOf(Value &value) {
    Operation *def = value.getDefiningOp();
    auto sum = dyn_cast_or_null<ReduceOp>(def);
    if (sum)
      def = sum.getYielded().getDefiningOp();
    if (!isa_and_present<MaskedOp, UnmaskedOp>(def))
      return "";
    Value mask = def->getOperand(1);
    auto filter = mask.getDefiningOp<FilterOp>();
    auto read = (filter ? filter.getCondition() : mask).getDefiningOp<AccessOp>();
    bool ofLeft = read && llvm::all_of(read.getIndices(), [&](Value index) {
                    return cast<BlockArgument>(index).getOwner() == &op.getBlock();
                  });
    if (!ofLeft || (filter && filter.getValue() != filter.getCondition()))
      return "";
    (sum ? bare[def->getResult(0)] : value) = def->getOperand(0);
    bool same =
        read.getIndices() == ValueRange(op.getVariables()) && read.getMap() == op.getOutMap();
    return std::string(isa<UnmaskedOp>(def) ? "<!" : "<") +
           (same ? operandName(op, read.getTensor()) : access(read)) +
           (filter ? "" : ", structural") + (op.getInit() ? ">" : ", replace>");
  }

  //===----------------------------------------------------------------------------------------===//
  // Expressions
  //===----------------------------------------------------------------------------------------===//

  // What a value is the negative of; null if it is not written as one.
  static Value negated(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def)
      return {};
    if (def->getName().stripDialect().starts_with("neg"))
      return def->getOperand(0);
    if (isa<arith::SubIOp>(def) && matchPattern(def->getOperand(0), m_Zero()))
      return def->getOperand(1);
    return {};
  }

  static std::string bracketed(std::string text, Binding own, Binding outer) {
    return own < outer ? "(" + text + ")" : text;
  }

  std::string binary(Value left, Sign sign, Value right, Binding outer) {
    auto tighter = Binding(sign.binding + 1);
    return bracketed(expression(left, sign.binding == Comparing || sign.binding == Loosest
                                          ? tighter
                                          : sign.binding) +
                         " " + sign.text.str() + " " + expression(right, tighter),
                     sign.binding, outer);
  }

  std::string call(StringRef name, ValueRange operands) {
    SmallVector<std::string> arguments;
    for (Value operand : operands)
      arguments.push_back(expression(operand, Loosest));
    return name.str() + "(" + llvm::join(arguments, ", ") + ")";
  }

  // a @(ADD,MULTIPLY) b
  std::string joined(StringRef word, Value left, Value right, Binding outer) {
    std::string text =
        expression(left, Prefix) + " @(" + word.str() + ") " + expression(right, Prefix);
    return bracketed(text, Loosest, outer);
  }

  std::string reduction(ReduceOp reduce, Binding outer) {
    Value inner = reduce.getYielded();
    if (Value without = bare.lookup(inner))
      inner = without;
    Operation *body = inner.getDefiningOp();
    StringRef logical = body ? functionOf(body) : "";
    if (reduce.getMissing() && llvm::is_contained({"lor", "land", "lxor"}, logical)) {
      llvm::SetVector<Value> operands;
      operandsOf(body, logical, operands);
      return joined((wordOf(reduce.getCombine()) + "," + logical).str(), operands.front(),
                    operands.back(), outer);
    }
    if (reduce.getMissing() && body && logical.empty() && body->getNumOperands() == 2) {
      Value first = body->getOperand(0), second = body->getOperand(1);
      std::string word = joinWord(body);
      if (word == "pair")
        first = first.getDefiningOp<MaskedOp>().getMask();
      return joined((wordOf(reduce.getCombine()) + "," + word).str(), first, second, outer);
    }
    SmallVector<std::string> over;
    for (Value variable : reduce.getVariables())
      over.push_back(names[variable]);
    return (reductionName(reduce.getCombine(), reduce.getType()) + "(" + llvm::join(over, ",") +
            ", " + expression(inner, Loosest) + ")")
        .str();
  }

  // The values that a function's operations take from others, in the order of its operands.
  static void operandsOf(Operation *part, StringRef function, llvm::SetVector<Value> &operands) {
    SmallVector<Value> values(part->getOperands());
    // What is shifted stands before the question how far.
    if (isa<SelectOp>(part) && function.starts_with("sh"))
      std::reverse(values.begin(), values.end());
    for (Value value : values) {
      Operation *def = value.getDefiningOp();
      if (def && functionOf(def) == function && def->getLoc() == part->getLoc())
        operandsOf(def, function, operands);
      else
        operands.insert(value);
    }
  }

  std::string function(Operation *op, Binding outer) {
    StringRef name = functionOf(op);
    llvm::SetVector<Value> operands;
    operandsOf(op, name, operands);
    if (std::optional<Sign> sign = infixOf(name); sign && !operands.empty())
      return binary(operands.front(), *sign, operands.back(), outer);
    if (name == "not" || name == "bitnot")
      return (name == "not" ? "!" : "~") + expression(operands.front(), Prefix);
    return call(name, operands.getArrayRef());
  }

  // What a value was before its type was changed without being asked for.
  static Value unconverted(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def || matchPattern(value, m_Constant()))
      return {};
    if (auto complex = dyn_cast<complex::CreateOp>(def)) {
      Value real = complex.getReal();
      while (isa_and_present<CastOpInterface>(real.getDefiningOp()))
        real = real.getDefiningOp()->getOperand(0);
      auto part = real.getDefiningOp<complex::ReOp>();
      bool whole = part && !matchPattern(complex.getImaginary(), m_Constant());
      return whole ? Value(part.getComplex()) : Value(complex.getReal());
    }
    return isa<CastOpInterface, ToIntegerOp>(def) ? def->getOperand(0) : Value();
  }

  std::string either(UnionOp op, Binding outer) {
    Operation *both = op.getBoth().getDefiningOp();
    if (op.getBoth() == op.getFirst() || op.getBoth() == op.getSecond() || !both) {
      bool first = op.getBoth() == op.getFirst();
      return joined("first", first ? op.getFirst() : op.getSecond(),
                    first ? op.getSecond() : op.getFirst(), outer);
    }
    return joined(joinWord(both), op.getFirst(), op.getSecond(), outer);
  }

  std::string expression(Value value, Binding outer) {
    Operation *def = value.getDefiningOp();
    if (!def)
      return "?";
    if (auto read = dyn_cast<AccessOp>(def))
      return access(read);
    if (auto reduce = dyn_cast<ReduceOp>(def))
      return reduction(reduce, outer);
    if (TypedAttr constant = constantOf(def)) {
      std::string text = constantText(constant);
      return text[0] == '-' ? bracketed(text, Adding, outer) : text;
    }
    if (!functionOf(def).empty())
      return function(def, outer);
    if (Value inner = unconverted(value))
      return expression(inner, outer);
    if (Value positive = negated(value))
      return bracketed("-" + expression(positive, Prefix), Prefix, outer);
    if (auto union_ = dyn_cast<UnionOp>(def))
      return either(union_, outer);
    if (auto masked = dyn_cast<MaskedOp>(def))
      return joined("any,first", masked.getValue(), masked.getMask(), outer);
    std::optional<Sign> sign = infix(def);
    // Operators that want an entry on both sides.
    bool entries = def->getNumOperands() == 2 && mayBeMissing(def->getOperand(0)) &&
                   mayBeMissing(def->getOperand(1));
    if (entries)
      return joined("any," + joinWord(def), def->getOperand(0), def->getOperand(1), outer);
    if (sign)
      return binary(def->getOperand(0), *sign, def->getOperand(1), outer);
    return call(functionName(def), def->getOperands());
  }

  ComputeOp op;
  DenseMap<Value, std::string> names;
  DenseMap<Value, Value> bare; // of masked terms, what is masked
};

} // namespace

static std::string withSchedule(std::string text, ComputeOp op) {
  return op.getSchedule() ? text + " " + scheduleText(*op.getSchedule()) : text;
}

std::string valueText(ComputeOp op, Value value) { return Printer(op).textOf(value); }

std::string notation(ComputeOp op) { return withSchedule(Printer(op).text(), op); }

// Tells whether the operation is all of the statement whose text it carries.
static bool isWhole(ComputeOp op) {
  auto isPart = [](ComputeOp op) { return op.getReason().has_value(); };
  return !isPart(op) && !op.getFused() && llvm::none_of(op.getInputs(), [&](Value input) {
    auto made = originOf(input).getDefiningOp<ComputeOp>();
    return partOf(input) || (made && isPart(made));
  });
}

std::string statementText(ComputeOp op) {
  StringRef written = sourceTextOf(op);
  return !written.empty() && isWhole(op) ? withSchedule(written.str(), op) : notation(op);
}

std::string statementText(ConcatOp op) {
  if (StringRef written = sourceTextOf(op); !written.empty())
    return written.str();
  std::string text = nameOf(op.getResult(), "C") + " = concat(" + std::to_string(op.getDim());
  for (Value tensor : op.getTensors())
    text += ", " + nameOf(tensor, "an operand");
  return text + ")";
}

std::string statementText(Operation *op) {
  auto joined = dyn_cast<ConcatOp>(op);
  return joined ? statementText(joined) : statementText(cast<ComputeOp>(op));
}

} // namespace strata::ta
