// Tokens, and what is none.
#include "Source.h"

#include "strata/frontend/Lexer.h"

namespace strata::frontend {
namespace {

using Kind = Token::Kind;

std::vector<std::string> texts(const std::string &text, std::string *messages = nullptr) {
  Source source(text);
  Lexer lexer(source.sources.getMemoryBuffer(source.id)->getBuffer(), source.diagnostics);
  std::vector<std::string> result;
  for (Token token = lexer.next(); !token.is(Kind::End); token = lexer.next())
    result.push_back(token.text.str());
  if (messages)
    *messages = source.messages();
  return result;
}

TEST(Lexer, cutsWordsNumbersAndOperators) {
  EXPECT_THAT(texts("A[i,j]+=2.5e-3*b .* c->d # comment"),
              testing::ElementsAre("A", "[", "i", ",", "j", "]", "+=", "2.5e-3", "*", "b", ".*",
                                   "c", "->", "d"));
}

TEST(Lexer, takesAPointBeforeAStarAsElementwise) {
  EXPECT_THAT(texts("2.*A"), testing::ElementsAre("2", ".*", "A"));
  EXPECT_THAT(texts(".5 5. 1e5 1e"), testing::ElementsAre(".5", "5.", "1e5", "1e"));
}

TEST(Lexer, skipsAnyLineEndAndAByteOrderMark) {
  EXPECT_THAT(texts("\xEF\xBB\xBF"
                    "a # x\r\nb # y\rc\n"),
              testing::ElementsAre("a", "b", "c"));
}

TEST(Lexer, replacesEscapesInTexts) {
  EXPECT_EQ(unquote(R"("a\"b\\c\n")"), "a\"b\\c\n");
  EXPECT_EQ(unquote("\"\""), "");
}

TEST(Lexer, reportsWhatIsNoToken) {
  std::string messages;
  texts("12abc", &messages);
  EXPECT_THAT(messages, testing::HasSubstr("'12abc' is neither a number nor a name"));
  texts("\"open\nx", &messages);
  EXPECT_THAT(messages, testing::HasSubstr("test.ta:1:1: error: the text that begins here"));
  texts(std::string("a \0\x80 b", 6), &messages);
  EXPECT_THAT(messages, testing::HasSubstr("(0x0080)"));
  texts("a // b", &messages);
  EXPECT_THAT(messages, testing::HasSubstr("a comment begins with '#'"));
}

} // namespace
} // namespace strata::frontend
