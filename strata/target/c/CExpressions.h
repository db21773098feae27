// Values of a kernel as C expressions.
#ifndef STRATA_TARGET_C_CEXPRESSIONS_H
#define STRATA_TARGET_C_CEXPRESSIONS_H

#include "strata/target/c/CVariables.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <set>

namespace strata::c {

/// How strongly an operator binds its operands, the weakest first.
enum class Binding { Choice, Or, And, Bits, Equality, Relation, Shift, Sum, Product, Prefix, Atom };

/// A piece of C, and the type that C gives it.
struct Text {
  std::string text;
  Binding binding = Binding::Atom;
  unsigned bits = 0;    ///< of an integer; 0 for all else, and for a literal, which fits any
  bool isSigned = true; ///< of an integer
};

/// The identifiers of one function, each used once.
class Names {
public:
  explicit Names(std::set<std::string> taken) : taken(std::move(taken)) {}
  std::string fresh(llvm::StringRef wish);

private:
  std::set<std::string> taken;
};

/// What a file needs besides its functions: `static` functions by name, and
/// headers.
struct Helpers {
  std::map<std::string, std::string> functions;
  bool math = false, complex = false;
};

class Expressions {
public:
  Expressions(mlir::func::FuncOp kernel, const Variables &variables, Names &names,
              Helpers &helpers);

  /// A value where it is read.
  Text of(mlir::Value value);
  std::string text(mlir::Value value) { return of(value).text; }
  /// What a load or a store is of: "A_vals[pA2]".
  std::string element(mlir::Value buffer, mlir::ValueRange indices);
  /// The variable of a value.
  std::string variable(mlir::Value value);
  /// What computes a value that has a variable.
  std::string written(mlir::Value value) { return ofOperation(value.getDefiningOp()).text; }
  /// "int64_t "; "const double *" of a buffer.
  std::string typeOf(mlir::Value value);
  std::string elementType(mlir::Type type, bool isUnsigned = false);
  /// Does the body read this argument of the function?
  bool isUsed(mlir::BlockArgument argument) const { return used.contains(argument); }
  /// A better name than there is for a variable that has none yet.
  void suggest(mlir::Value value, llvm::StringRef name);
  /// Something that C99 has no words for, which was reported.
  bool failed() const { return hasFailed; }
  void fail(mlir::Operation *op, const llvm::Twine &why);

private:
  Text ofOperation(mlir::Operation *op);
  Text ofInteger(mlir::Operation *op);
  Text ofFloat(mlir::Operation *op);
  Text ofComplex(mlir::Operation *op);
  Text ofConstant(mlir::Attribute value, mlir::Operation *op);
  Text makeComplex(mlir::Type element, const std::string &re, const std::string &im);
  Text ofComparison(mlir::Operation *op);
  Text ofChoice(mlir::Operation *op);
  Text binary(mlir::Operation *op, llvm::StringRef sign, Binding binding);
  Text arithmetic(mlir::Operation *op, llvm::StringRef sign, Binding binding);
  Text function(llvm::StringRef name, mlir::Operation *op);
  Text helper(llvm::StringRef name, const std::string &definition, mlir::Operation *op);
  Text extreme(mlir::Operation *op, bool greatest, bool isSigned);
  Text divided(mlir::Operation *op, llvm::StringRef sign, bool isSigned);
  Text rounded(mlir::Operation *op, const char *name, const char *body);
  Text shifted(mlir::Operation *op, llvm::StringRef sign, bool isSigned);
  Text bitwise(mlir::Operation *op, llvm::StringRef sign, llvm::StringRef ofTruths,
               Binding binding);
  Text converted(mlir::Operation *op, bool isSigned);
  Text bitsOfFloat(mlir::Operation *op);
  Text operand(mlir::Operation *op, unsigned at, bool isSigned);
  void inSixtyFourBits(Text &x, Text &y);
  Text asType(Text text, mlir::Type type, bool isSigned);
  Text cast(Text text, mlir::Type type, bool isUnsigned = false);
  bool wraps(mlir::Value value);
  void findUnsigned();

  mlir::func::FuncOp kernel;
  const Variables &variables;
  Names &names;
  Helpers &helpers;
  llvm::DenseMap<mlir::Value, std::string> identifiers;
  llvm::DenseMap<mlir::Value, std::string> suggestions;
  llvm::DenseSet<mlir::Value> used, unsignedBuffers;
  bool hasFailed = false;
};

/// Of an integer of MLIR.
unsigned bitsOf(mlir::Type type);
/// "(a + b)" where the text binds less than is needed.
std::string within(const Text &text, Binding least);

} // namespace strata::c

#endif // STRATA_TARGET_C_CEXPRESSIONS_H
