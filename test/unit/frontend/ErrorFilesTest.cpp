// One file for each mistake: test/error/NAME.ta ends with the messages that it must give, as
//   # expect: LINE:COLUMN: error: TEXT
//   # expect: note: TEXT
// With STRATA_UPDATE set in the environment, those lines are rewritten to what is said now.
#include "Source.h"

#include "strata/frontend/EmitTa.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <fstream>

namespace strata::frontend {
namespace {

constexpr llvm::StringRef marker = "# expect: ", parameterMarker = "# parameter: ";

std::vector<std::string> errorFiles() {
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(STRATA_TEST_ERRORS, error), end;
       !error && file != end; file.increment(error))
    if (llvm::sys::path::extension(file->path()) == ".ta")
      names.push_back(llvm::sys::path::stem(file->path()).str());
  llvm::sort(names);
  return names;
}

void describe(const Diagnostics &diagnostics, const Diagnostic &diagnostic, std::string &text) {
  Place place = diagnostics.placeOf(diagnostic.range.Start);
  text += marker;
  if (place.line)
    text += std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
  text += diagnostic.severity == Severity::Error     ? "error: "
          : diagnostic.severity == Severity::Warning ? "warning: "
                                                     : "note: ";
  text += diagnostic.message + "\n";
  for (const Diagnostic &note : diagnostic.notes)
    describe(diagnostics, note, text);
}

class ErrorFiles : public testing::TestWithParam<std::string> {};

TEST_P(ErrorFiles, givesItsMessages) {
  std::string path = std::string(STRATA_TEST_ERRORS) + "/" + GetParam() + ".ta";
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(file) << path;
  std::string program, expected;
  Parameters parameters;
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n');
  if (!lines.empty() && lines.back().empty())
    lines.pop_back();
  for (llvm::StringRef line : lines) {
    (line.starts_with(marker) ? expected : program) += line.str() + "\n";
    if (line.consume_front(parameterMarker))
      parameters[line.split('=').first.str()] = line.split('=').second.str();
  }

  Source source(program, GetParam() + ".ta");
  ast::Module module = parseProgram(source.id, source.diagnostics);
  std::optional<Program> analyzed;
  if (!source.diagnostics.hasErrors())
    analyzed = analyze(module, parameters, source.formats, source.diagnostics);
  if (analyzed)
    emitTa(*analyzed, &source.context, source.diagnostics);
  std::string said;
  for (const Diagnostic &diagnostic : source.diagnostics.all())
    describe(source.diagnostics, diagnostic, said);

  if (std::getenv("STRATA_UPDATE")) {
    std::ofstream(path) << program << said;
    return;
  }
  EXPECT_EQ(said, expected) << source.messages();
  EXPECT_NE(said, "");
  // Every error has a place, but for what the program lacks as a whole.
  for (const Diagnostic &diagnostic : source.diagnostics.all())
    if (diagnostic.severity == Severity::Error && GetParam() != "no-main")
      EXPECT_NE(source.diagnostics.placeOf(diagnostic.range.Start).line, 0u);
}

std::string testName(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  for (char &c : name)
    c = llvm::isAlnum(c) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(, ErrorFiles, testing::ValuesIn(errorFiles()), testName);

TEST(ErrorFileCount, coversTheMistakes) { EXPECT_GE(errorFiles().size(), 40u); }

} // namespace
} // namespace strata::frontend
