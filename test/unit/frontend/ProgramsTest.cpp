// Whole programs, the papers' listings among them, are taken without complaint.
#include "Source.h"

#include "strata/frontend/EmitTa.h"
#include "strata/frontend/ProgramPrinter.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace strata::frontend {
namespace {

std::vector<std::string> programs() {
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(STRATA_TEST_PROGRAMS, error), end;
       !error && file != end; file.increment(error))
    if (llvm::sys::path::extension(file->path()) == ".ta")
      names.push_back(llvm::sys::path::stem(file->path()).str());
  llvm::sort(names);
  return names;
}

std::string textOf(const std::string &name) {
  auto file = llvm::MemoryBuffer::getFile(std::string(STRATA_TEST_PROGRAMS) + "/" + name + ".ta");
  return file ? (*file)->getBuffer().str() : "";
}

// "# parameter: NAME=VALUE" lines.
Parameters parametersIn(llvm::StringRef text) {
  Parameters parameters;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (line.consume_front("# parameter: "))
      parameters[line.split('=').first.str()] = line.split('=').second.str();
  return parameters;
}

class Programs : public testing::TestWithParam<std::string> {};

TEST_P(Programs, reachTa) {
  std::string text = textOf(GetParam());
  Source source(text, GetParam() + ".ta");
  ast::Module module = parseProgram(source.id, source.diagnostics);
  ASSERT_FALSE(source.diagnostics.hasErrors()) << source.messages();
  std::optional<Program> program =
      analyze(module, parametersIn(text), source.formats, source.diagnostics);
  ASSERT_TRUE(program) << source.messages();
  mlir::OwningOpRef<mlir::ModuleOp> ta = emitTa(*program, &source.context, source.diagnostics);
  EXPECT_TRUE(ta) << source.messages();
}

std::string testName(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  for (char &c : name)
    c = llvm::isAlnum(c) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(, Programs, testing::ValuesIn(programs()), testName);

TEST(Listings, ofPaper000) {
  std::string text = textOf("listing-000");
  EXPECT_EQ(analyzed(text, parametersIn(text)), R"(read A "matrix.mtx" 1
fill B = 1 [b = A.1, c = 32]
fill C = 0 [a = A.0, c = 32]
C[a, c] = sum(b: A[a, b] * B[b, c]) where a = A.0, c = 32, b = A.1 = B.0
)");
}

TEST(Listings, ofPaper002) {
  EXPECT_EQ(analyzed(textOf("listing-002")),
            R"(fill A = 1 [a = 72, e = 72, b = 72, f = 72]
fill B = 1 [d = 72, f = 72, c = 72, e = 72]
fill C = 0 [a = 72, b = 72, c = 72, d = 72]
C[a, b, c, d] = sum(e, f: A[a, e, b, f] * B[d, f, c, e]) where a = 72, b = 72, c = 72, d = 72, e = 72, f = 72
)");
}

} // namespace
} // namespace strata::frontend
