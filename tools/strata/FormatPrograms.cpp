// strata format: programs in the usual layout.
#include "Arguments.h"
#include "Commands.h"
#include "Messages.h"
#include "Session.h"

#include "strata/frontend/Layout.h"
#include "strata/frontend/Parser.h"

#include "llvm/Support/FileSystem.h"

using llvm::StringRef;

namespace strata::tool {

namespace format {
#define STRATA_OPTIONS "FormatOptions.inc"
#include "OptionTable.def"
} // namespace format

const Command formatDescription{"format", R"(
strata format lays out programs (.ta): two blanks of indentation for each block, one blank around
operators, at most one blank line in a row. Lines stay lines, and words and comments stay as they
are, so that programs mean the same. Files are changed in place; '-' is standard input, whose layout
goes to standard output.

  strata format program.ta
  strata format --check *.ta      tells which are not laid out so
  strata format - < program.ta
)",
                                format::table, "PROGRAM...", "lay out the text of programs"};

// What a file is laid out as; nothing after an error, which was reported.
static std::optional<std::string> laidOut(Session &session, unsigned id) {
  frontend::Diagnostics diagnostics(session.sources);
  frontend::parseProgram(id, diagnostics);
  if (diagnostics.hasErrors()) {
    show(diagnostics);
    return std::nullopt;
  }
  const llvm::MemoryBuffer *buffer = session.sources.getMemoryBuffer(id);
  std::optional<std::string> text = frontend::layOut(buffer->getBuffer());
  if (!text)
    fail("'" + buffer->getBufferIdentifier() + "' cannot be laid out without changing its words");
  return text;
}

// Writes the text to a file beside it first: whatever happens, the program is there, old or new.
static int replaceFile(StringRef file, StringRef text) {
  llvm::SmallString<256> real;
  std::error_code error = llvm::sys::fs::real_path(file, real);
  llvm::ErrorOr<llvm::sys::fs::perms> permissions = llvm::sys::fs::getPermissions(real);
  if (!error)
    error = permissions.getError();
  auto failure = [&](const llvm::Twine &why) {
    return fail("cannot write '" + file + "': " + why);
  };
  if (error)
    return failure(error.message());
  llvm::Expected<llvm::sys::fs::TempFile> fresh =
      llvm::sys::fs::TempFile::create(real + ".%%%%%%", *permissions);
  if (!fresh)
    return failure(llvm::toString(fresh.takeError()));
  llvm::sys::fs::setPermissions(fresh->FD, *permissions); // what the umask has taken away
  llvm::raw_fd_ostream out(fresh->FD, /*shouldClose=*/false);
  out << text;
  out.flush();
  if (out.has_error()) {
    std::string why = out.error().message();
    out.clear_error();
    llvm::consumeError(fresh->discard());
    return failure(why);
  }
  llvm::Error kept = fresh->keep(real);
  return kept ? failure(llvm::toString(std::move(kept))) : int(exitSuccess);
}

static int formatFile(StringRef file, bool check) {
  Session session;
  std::optional<unsigned> id = session.open(file);
  if (!id)
    return exitFailure;
  std::optional<std::string> text = laidOut(session, *id);
  if (!text)
    return exitFailure;
  bool same = *text == session.sources.getMemoryBuffer(*id)->getBuffer();
  if (check)
    return same ? int(exitSuccess)
                : fail("'" + file + "' is not laid out", "'strata format " + file + "' does that");
  if (file == "-") {
    llvm::outs() << *text;
    return exitSuccess;
  }
  return same ? int(exitSuccess) : replaceFile(file, *text);
}

int formatCommand(llvm::ArrayRef<const char *> arguments) {
  Arguments args = parseArguments(formatDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::vector<std::string> files = args.list.getAllArgValues(format::OPT_INPUT);
  if (files.empty())
    return refuse("strata format needs a program", "'-' is standard input");
  int code = exitSuccess;
  for (const std::string &file : files)
    code = std::max(code, formatFile(file, args.list.hasArg(format::OPT_check)));
  return code;
}

} // namespace strata::tool
