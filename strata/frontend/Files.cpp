// Names of files in calls: texts, parameters, and COMET's numbers, which stand for variables of
// the environment.
#include "strata/frontend/Analyzer.h"

#include <cstdlib>

namespace strata::frontend {

std::optional<Analyzer::FileName> Analyzer::fileName(const ast::Expr &argument) {
  if (const auto *text = llvm::dyn_cast<ast::TextExpr>(&argument)) {
    if (!text->text.empty() && text->text.find('\0') == std::string::npos)
      return FileName{text->text};
    diagnostics.error(argument.range, "this is no file's name");
    return std::nullopt;
  }
  if (const auto *number = llvm::dyn_cast<ast::NumberExpr>(&argument)) {
    if (number->integer && *number->integer >= 0)
      return fileOfEnvironment("SPARSE_FILE_NAME" + std::to_string(*number->integer),
                               argument.range);
    diagnostics.error(argument.range, "the number of a file counts from 0");
    return std::nullopt;
  }
  const auto *name = llvm::dyn_cast<ast::NameExpr>(&argument);
  if (!name) {
    diagnostics.error(argument.range, "expected a file's name")
        .note("write it in quotes, or name a parameter that is given with -D");
    return std::nullopt;
  }
  if (const std::string *value = parameter(name->name.text))
    return FileName{*value};
  if (parameters.stayOpen)
    return FileName{"", name->name.text};
  unknown(name->name, "'" + name->name.text + "' has no value", {},
          "give the file's name with -D " + name->name.text + "=FILE, or write it in quotes");
  return std::nullopt;
}

std::optional<Analyzer::FileName> Analyzer::fileOfEnvironment(const std::string &variable,
                                                              llvm::SMRange range) {
  if (const std::string *value = parameter(variable))
    return FileName{*value};
  if (parameters.stayOpen)
    return FileName{"", variable};
  const char *value = std::getenv(variable.c_str());
  if (value && *value)
    return FileName{value};
  diagnostics.error(range, "the environment variable " + variable + " is not set")
      .note("it names the file to read; -D " + variable + "=FILE does too");
  return std::nullopt;
}

// read("file"), read(n), read(), each with an optional part.
bool Analyzer::fileToRead(const ast::CallExpr &call, Read &read) {
  std::optional<FileName> file = call.arguments.empty()
                                     ? fileOfEnvironment("SPARSE_FILE_NAME", call.range)
                                     : fileName(*call.arguments.front());
  if (file) {
    read.file = file->name;
    read.parameter = file->parameter;
  }
  if (call.arguments.size() < 2)
    return file.has_value();
  const ast::Expr &part = *call.arguments[1];
  const auto *number = llvm::dyn_cast<ast::NumberExpr>(&part);
  if (number && number->integer && *number->integer >= 1 && *number->integer <= 5) {
    read.part = *number->integer;
    return file.has_value();
  }
  diagnostics.error(part.range, "a part of a matrix is a number from 1 to 5")
      .note("1 all, 2 strictly below the diagonal, 3 below or on it, 4 strictly above it, 5 above "
            "or on it");
  return false;
}

} // namespace strata::frontend
