// Writes what a command makes.
#include "OutputFile.h"
#include "InRanks.h"
#include "Messages.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"

using llvm::StringRef;

namespace strata::tool {

int writeTo(StringRef file, StringRef text) {
  if (!speaksForAll())
    return exitSuccess;
  std::error_code error;
  llvm::ToolOutputFile out(file, error, llvm::sys::fs::OF_None);
  if (!error) {
    out.os() << text;
    out.os().flush();
    error = out.os().error();
    out.os().clear_error();
  }
  if (error)
    return fail("cannot write " + (file == "-" ? "standard output" : "'" + file.str() + "'") +
                ": " + error.message());
  out.keep();
  return exitSuccess;
}

bool isInput(StringRef output, StringRef input) {
  if (output == "-" || !llvm::sys::fs::equivalent(output, input))
    return false;
  refuse("'" + output + "' is the file that is read, which would be lost",
         "what is written needs another name");
  return true;
}

} // namespace strata::tool
