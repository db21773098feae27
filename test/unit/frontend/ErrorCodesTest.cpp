// The codes of messages.
#include "strata/frontend/ErrorCodes.h"

#include "Source.h"

namespace strata::frontend {
namespace {

TEST(ErrorCodes, readsItsTable) {
  EXPECT_GT(errorPages().size(), 60u);
  for (const ErrorPage &page : errorPages()) {
    EXPECT_EQ(page.code.size(), 6u) << page.code.str();
    EXPECT_FALSE(page.name.empty()) << page.code.str();
    EXPECT_FALSE(page.says.empty() && page.saysRunning.empty()) << page.code.str();
    EXPECT_EQ(findErrorPage(page.code), &page);
    // Each pattern is its page's.
    for (llvm::StringRef says : page.says)
      EXPECT_EQ(errorCodeOf(says), page.code) << says.str();
  }
  EXPECT_EQ(findErrorPage("SE9999"), nullptr);
}

TEST(ErrorCodes, takesWhatSaysMost) {
  EXPECT_EQ(errorCodeOf("expected ';' after the statement, found 'x'"), "SE0105");
  EXPECT_EQ(errorCodeOf("expected 'in', found 'x'"), "SE0104");
  EXPECT_EQ(errorCodeOf("'x' has no value yet"), "SE0204");
  EXPECT_EQ(errorCodeOf("'x' has no value"), "SE0205");
  EXPECT_EQ(errorCodeOf("the wind blows"), "");
  EXPECT_EQ(errorCodeOf(""), "");
}

TEST(ErrorCodes, standBehindMessagesOfTheRuntime) {
  auto [text, code] = splitCode("'x' has no value yet [SE1304]");
  EXPECT_EQ(text, "'x' has no value yet");
  EXPECT_EQ(code, "SE1304");
  EXPECT_EQ(errorCodeOf("'x' has no value yet [SE1304]"), "SE1304");
  // What stands in brackets otherwise is part of the message.
  for (llvm::StringRef message : {"sizes [3]", "sizes [SE9999]", "[SE1304]", "x [SE1304", ""}) {
    EXPECT_EQ(splitCode(message).first, message);
    EXPECT_EQ(splitCode(message).second, "");
  }
}

TEST(ErrorCodes, areThoseOfDiagnostics) {
  Source source("def main() { x = 1; }");
  source.diagnostics.error({}, "'x' has no value yet").note("'x' has no value yet");
  source.diagnostics.warning({}, "there is nothing to sum: the argument has no labels");
  const Diagnostic &error = source.diagnostics.all()[0];
  EXPECT_EQ(error.code(), "SE0204");
  EXPECT_EQ(error.notes.front().code(), "");
  EXPECT_EQ(source.diagnostics.all()[1].code(), "SW0005");
}

} // namespace
} // namespace strata::frontend
