// Puts a C file together: headers, helpers, and for each kernel its body and
// its entry point.
#include "strata/target/c/CSource.h"

#include "strata/lower/entry/KernelSignature.h"
#include "strata/target/c/CStatements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata::c {

// Functions of <math.h>, which compilers know without it, and of <complex.h>; those of floats have
// an f behind it.
static constexpr const char *functionsOfC[] = {
    "acos",      "acosh",     "asin",  "asinh",     "atan",    "atan2",     "atanh",   "cbrt",
    "ceil",      "copysign",  "cos",   "cosh",      "erf",     "erfc",      "exp",     "exp2",
    "expm1",     "fabs",      "fdim",  "floor",     "fma",     "fmax",      "fmin",    "fmod",
    "frexp",     "hypot",     "ilogb", "ldexp",     "lgamma",  "llrint",    "llround", "log",
    "log10",     "log1p",     "log2",  "logb",      "lrint",   "lround",    "modf",    "nan",
    "nearbyint", "nextafter", "pow",   "remainder", "remquo",  "rint",      "round",   "scalbn",
    "sin",       "sinh",      "sqrt",  "tan",       "tanh",    "tgamma",    "trunc",   "cabs",
    "cacos",     "cacosh",    "carg",  "casin",     "casinh",  "catan",     "catanh",  "ccos",
    "ccosh",     "cexp",      "cimag", "clog",      "conj",    "cpow",      "cproj",   "creal",
    "csin",      "csinh",     "csqrt", "ctan",      "ctanh",   "j0",        "j1",      "jn",
    "y0",        "y1",        "yn",    "maximum",   "minimum", "complex_of"};

// No variable may be called so.
static std::set<std::string> takenNames() {
  std::set<std::string> names{
      "storages",     "extents",     "main",     "I",           "NAN",
      "INFINITY",     "INT64_MIN",   "INT64_C",  "true",        "false",
      "bool",         "complex",     "max",      "min",         "max_unsigned",
      "min_unsigned", "magnitude",   "ceil_div", "floor_div",   "bits_of",
      "bits_off",     "complexf_of", "signbit",  "isunordered", "islessgreater",
      "gamma",        "index",       "abs",      "div",         "time",
      "rand",         "free",        "malloc",   "size_t",      "intptr_t"};
  for (const char *keyword :
       {"auto",     "break",  "case",   "char",     "const",     "continue", "default",  "do",
        "double",   "else",   "enum",   "extern",   "float",     "for",      "goto",     "if",
        "inline",   "int",    "long",   "register", "restrict",  "return",   "short",    "signed",
        "sizeof",   "static", "struct", "switch",   "typedef",   "union",    "unsigned", "void",
        "volatile", "while",  "_Bool",  "_Complex", "_Imaginary"})
    names.insert(keyword);
  for (const char *function : functionsOfC)
    names.insert({function, std::string(function) + "f"});
  for (int bits : {8, 16, 32, 64})
    names.insert({"int" + std::to_string(bits) + "_t", "uint" + std::to_string(bits) + "_t"});
  return names;
}

namespace {

class Source {
public:
  bool add(func::FuncOp kernel, const KernelText &about) {
    Names names(takenNames());
    Variables variables(kernel);
    Expressions expressions(kernel, variables, names, helpers);
    nameResult(kernel, about, variables, expressions);
    namePositions(kernel, expressions);
    std::optional<std::string> body = statementsOf(kernel, variables, expressions, names);
    if (!body)
      return false;
    text += "\n";
    text += about.comment;
    text += "static void " + about.name +
            "_body(strata_context *context, strata_storage *const *storages,\n" +
            std::string(about.name.size() + 18, ' ') + "const int64_t *extents) {\n";
    text += argumentsOf(kernel, expressions);
    text += *body;
    text += "}\n";
    std::optional<Signature> signature = signatureOf(kernel);
    isChecked |= signature.has_value();
    if (signature)
      addSignature(about.name, *signature);
    text += "\nint32_t " + about.name +
            "(strata_context *context, strata_storage *const *storages,\n" +
            std::string(about.name.size() + 9, ' ') + "const int64_t *extents) {\n  return " +
            (signature ? "strata_invoke_checked" : "strata_invoke") +
            "(context, storages, extents, " + about.name + "_body" +
            (signature ? ",\n                               " + about.name + "_signature, " +
                             about.name + "_names"
                       : "") +
            ");\n}\n";
    return !expressions.failed();
  }

  std::string whole() const {
    std::string head = "/* Written by Strata. Serial; without prefetches and "
                       "commands to vectorize. "
                       "*/\n#include \"strata/runtime/assembly.h\"\n" +
                       std::string(isChecked ? "#include \"strata/runtime/calls.h\"\n\n" : "\n");
    if (helpers.complex)
      head += "#include <complex.h>\n";
    if (helpers.math)
      head += "#include <math.h>\n";
    head += "#include <stdbool.h>\n";
    if (!helpers.functions.empty())
      head += "\n";
    for (const auto &[name, definition] : helpers.functions)
      head += definition;
    return head + text;
  }

private:
  // What the kernel was compiled for, which its entry point has the runtime check.
  void addSignature(const std::string &name, const Signature &signature) {
    text += "\nstatic const int64_t " + name + "_signature[] = {";
    for (auto [at, word] : llvm::enumerate(signature.words))
      text += (at % 20 ? ", " : at ? ",\n    " : "\n    ") + std::to_string(word);
    text += "};\nstatic const char " + name + "_names[] =";
    SmallVector<StringRef> parts;
    StringRef(signature.names).drop_back().split(parts, '\0');
    for (StringRef part : parts)
      text += ("\n    \"" + part + "\\0\"").str();
    text += ";\n";
  }

  // Positions and coordinates that are kept in variables are called after where
  // they come from.
  void namePositions(func::FuncOp kernel, Expressions &expressions) {
    kernel.walk([&](memref::LoadOp load) {
      auto named = dyn_cast<NameLoc>(bufferOf(load.getMemRef()).getLoc());
      if (!named || !load->hasOneUse() || load.getIndices().empty())
        return;
      Operation *user = *load->getUsers().begin();
      Value value = isa<arith::IndexCastOp, arith::IndexCastUIOp>(user) ? user->getResult(0)
                                                                        : load.getResult();
      StringRef level = named.getName();
      bool isNext = load.getIndices()[0].getDefiningOp<arith::AddIOp>() != nullptr;
      if (level.consume_back("_pos"))
        expressions.suggest(value, ("p" + level + (isNext ? "_end" : "")).str());
      else if (level.consume_back("_crd") && !isa<NameLoc>(value.getLoc()))
        expressions.suggest(value, ("c" + level).str());
    });
  }

  // What is handed out as a buffer of the result is called so.
  void nameResult(func::FuncOp kernel, const KernelText &about, const Variables &variables,
                  Expressions &expressions) {
    kernel.walk([&](func::CallOp call) {
      if (!call.getCallee().starts_with("strata_publish_"))
        return;
      std::optional<int64_t> number = getConstantIntValue(call.getOperand(2));
      if (!number || size_t(*number) >= about.buffers.size())
        return;
      const std::string &name = about.buffers[size_t(*number)];
      expressions.suggest(call.getOperand(3), name);
      for (auto [at, suffix] : {std::pair(4, "_size"), std::pair(5, "_capacity")})
        if (!variables.isInlined(call.getOperand(at)) && !isa<BlockArgument>(call.getOperand(at)))
          expressions.suggest(call.getOperand(at), name + suffix);
    });
  }

  // The parameters of the body, those that it reads, from the storages.
  std::string argumentsOf(func::FuncOp kernel, Expressions &expressions) {
    std::string lines;
    auto described = kernel->getAttrOfType<ArrayAttr>("strata.arguments");
    for (auto [argument, attribute] : llvm::zip(kernel.getArguments(), described)) {
      if (!expressions.isUsed(argument))
        continue;
      llvm::SmallVector<StringRef, 3> words;
      cast<StringAttr>(attribute).getValue().split(words, ' ');
      std::string from = words.size() > 1 ? "storages[" + words[1].str() + "]" : "";
      std::string type = isa<LLVM::LLVMPointerType>(argument.getType())
                             ? "strata_storage *"
                             : expressions.typeOf(argument);
      if (words[0] == "context")
        continue;
      if (words[0] == "extent")
        from = "extents[" + words[1].str() + "]";
      else if (words[0] == "size")
        from += "->sizes[" + words[2].str() + "]";
      else if (words[0] == "buffer")
        from += "->buffers[" + words[2].str() + "].data";
      else if (words[0] == "count")
        from += "->buffers[" + words[2].str() + "].count";
      if (!StringRef(type).ends_with("*"))
        type = "const " + type;
      else if (isa<MemRefType>(argument.getType()))
        type += "restrict ";
      lines += "  " + type + expressions.variable(argument) + " = " + from + ";\n";
    }
    return lines.empty() ? "" : lines + "\n";
  }

  Helpers helpers;
  std::string text;
  bool isChecked = false; ///< does an entry point check its arguments?
};

} // namespace

std::optional<std::string> cSource(ModuleOp kernels, ArrayRef<KernelText> texts) {
  Source source;
  for (const KernelText &about : texts)
    if (!source.add(kernels.lookupSymbol<func::FuncOp>(about.name), about))
      return std::nullopt;
  return source.whole();
}

} // namespace strata::c
