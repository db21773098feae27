// Nothing that can be typed ends the process: depth, length, bytes, cuts at every place.
#include "Source.h"

namespace strata::frontend {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Robustness, depthIsBounded) {
  for (const std::string &open : {"(", "-(", "SUM("}) {
    std::string text = "def main() { var x = ";
    for (int i = 0; i < 100000; ++i)
      text += open;
    EXPECT_THAT(analyzed(text), HasSubstr("nested too deeply"));
  }
  std::string minus = "def main() { var x = " + std::string(100000, '-') + "1; print(x); }";
  EXPECT_THAT(analyzed(minus), HasSubstr("x = 1\n"));
  std::string blocks = "def main() { ";
  for (int i = 0; i < 100000; ++i)
    blocks += "for i in range(9) {";
  EXPECT_THAT(analyzed(blocks), HasSubstr("nested too deeply"));
  std::string format = "def main() { Tensor<double> A([1], {(i) -> (";
  EXPECT_THAT(analyzed(format + std::string(100000, '(')), HasSubstr("nested too deeply"));
  std::string schedule = "def main() { x = y schedule { f(";
  EXPECT_THAT(analyzed(schedule + std::string(100000, '{')), HasSubstr("nested too deeply"));
  std::string sum = "i";
  for (int i = 0; i < 100000; ++i)
    sum += "+i";
  EXPECT_THAT(analyzed(format + sum), HasSubstr("fewer terms"));
}

TEST(Robustness, lengthIsNotBoundedByTheStack) {
  std::string sum = "def main() { var y = 1; var x = 1", product = sum;
  for (int i = 0; i < 50000; ++i) {
    sum += " + y";
    product += " * y";
  }
  EXPECT_THAT(analyzed(sum + "; }"), HasSubstr("x = 1 + y + y"));
  EXPECT_THAT(analyzed(product + "; }"), HasSubstr("x = 1 * y * y"));
}

TEST(Robustness, inliningIsBounded) {
  std::string text = "def f0() { var x = 1; }\n";
  for (int i = 1; i < 60; ++i)
    text += "def f" + std::to_string(i) + "() { f" + std::to_string(i - 1) + "(); f" +
            std::to_string(i - 1) + "(); }\n";
  EXPECT_THAT(analyzed(text + "def main() { f59(); }"), HasSubstr("more than 100000 statements"));
  text.clear();
  for (int i = 0; i < 5000; ++i)
    text += "def f" + std::to_string(i) + "() { f" + std::to_string(i + 1) + "(); }\n";
  EXPECT_THAT(analyzed(text + "def f5000() { }\ndef main() { f0(); }"),
              HasSubstr("call each other too deeply"));
}

// A text and so many copies of another one behind it.
std::string chain(std::string text, const std::string &link, int count) {
  for (int i = 0; i < count; ++i)
    text += link;
  return text;
}

// Trees of operators that lean to the left are as deep as they are long; those of chains in chains
// as all together.
TEST(Robustness, chainsAreBounded) {
  const std::string begin = "def main() { var y = 1; var x = ",
                    tooDeep = "this is nested too deeply";
  for (const char *link : {" | y", " ^ y", " & y", " << y", " >> y", " @(min) y", " @(+,*) y"}) {
    EXPECT_THAT(analyzed(chain(begin + "y", link, 50000) + "; }"), HasSubstr(tooDeep)) << link;
    EXPECT_THAT(analyzed(chain(begin + "y", link, 200) + "; }"), Not(HasSubstr(tooDeep))) << link;
    std::string inside = "y", beside = "y";
    for (int i = 0; i < 100; ++i) {
      inside = "(" + chain(inside, link, 100) + ")";
      beside += " + (" + chain("y", link, 100) + ")";
    }
    EXPECT_THAT(analyzed(begin + inside + "; }"), HasSubstr(tooDeep)) << link;
    EXPECT_THAT(analyzed(begin + beside + "; }"), Not(HasSubstr(tooDeep))) << link;
  }
  std::string coordinate = "i";
  for (int i = 0; i < 100; ++i)
    coordinate = "(" + chain(coordinate, "+i", 100) + ")";
  EXPECT_THAT(analyzed("def main() { Tensor<double> A([1], {(i) -> (" + coordinate),
              HasSubstr("fewer terms"));
}

// What has many operands at one level is no deep tree either, which would end the process.
TEST(Robustness, manyOperandsAreNoDeepTree) {
  const std::string begin = "def main() { var y = 1; ";
  EXPECT_THAT(analyzed(chain(begin + "var x = min(y", ", y", 50000) + "); }"), HasSubstr("min"));
  EXPECT_THAT(analyzed(chain(begin + "IndexLabel [i] = [4]; Tensor<double> A([i], SparseVector);"
                                     "A[i] = 1.0; Tensor<double> B([i], SparseVector);"
                                     "B[i] = A[i] @(min) (y",
                             " + y", 50000) +
                       "); }"),
              Not(testing::IsEmpty()));
}

// Calls of f, one in the other.
std::string nested(int depth, std::string text) {
  for (int i = 0; i < depth; ++i)
    text = "f(" + text + ")";
  return text;
}

TEST(Robustness, operatorsThatUseThemselvesAreRefused) {
  for (const char *text : {"operator f(x) = f(x) + f(x);", "operator f(x) = 1 + sqrt(-f(x));",
                           "operator f(x) = g(x) + g(x); operator g(x) = f(x) * f(f(x));",
                           "operator g(x) = x; operator f(x) = g(f(x)) + g(f(x));",
                           "operator g(x, y) = g(y, x) + g(x, y); operator f(x) = g(x, x);"})
    EXPECT_THAT(analyzed(std::string(text) + "\ndef main() { var y = f(2); }"),
                HasSubstr("operators cannot use themselves"))
        << text;
  EXPECT_THAT(
      analyzed("operator f(x, y) = f(x, y) * f(y, x);\n"
               "semiring s { add = x + y, zero = 0, multiply = f(x, y) }\n" +
               inMain("IndexLabel [i] = [4]; Tensor<double> A([i], SparseVector); A[i] = 1.0;"
                      "Tensor<double> B([i], SparseVector); B[i] = A[i] @s A[i];")),
      HasSubstr("operators cannot use themselves"));
}

TEST(Robustness, operatorsOfOperatorsAreBounded) {
  std::string twice = "operator f0(x) = x + 1;\n", once = twice;
  for (int i = 1; i < 3000; ++i) {
    const std::string name = std::to_string(i), before = "f" + std::to_string(i - 1) + "(x)";
    if (i < 60)
      twice += "operator f" + name + "(x) = " + before + " + " + before + ";\n";
    once += "operator f" + name + "(x) = -" + before + ";\n";
  }
  const std::string z = "def main() { var z = 2; var y = ";
  EXPECT_THAT(analyzed(twice + z + "f8(z); }"), Not(HasSubstr("error")));
  EXPECT_THAT(analyzed(twice + z + "f59(z); }"),
              HasSubstr("operators stand for more than 10000 operations"));
  EXPECT_THAT(analyzed(once + z + "f100(z); }"), Not(HasSubstr("error")));
  EXPECT_THAT(analyzed(once + z + "f2999(z); }"), HasSubstr("operators use each other too deeply"));
}

TEST(Robustness, operandsOfOperatorsAreBounded) {
  const std::string z = "\ndef main() { var z = 2; var y = ";
  EXPECT_THAT(analyzed("operator f(x) = x * x;" + z + nested(60, "z") + "; }"),
              HasSubstr("operators stand for more than 10000 operations"));
  EXPECT_THAT(analyzed("operator f(x) = -x;" + z + nested(60, "z") + "; }"),
              Not(HasSubstr("error")));
  // Each of them is within the bound, all are not.
  std::string many = nested(10, "z");
  for (int i = 1; i < 2000; ++i)
    many += " + " + nested(10, "z");
  EXPECT_THAT(analyzed("operator f(x) = x * x;" + z + many + "; }"),
              HasSubstr("operators stand for more than 1000000 operations in this program"));
  EXPECT_THAT(
      analyzed("semiring s { add = x + y, zero = 0, multiply = x * y }\n" +
               inMain("IndexLabel [i] = [4]; Tensor<double> A([i], SparseVector); A[i] = 1.0;"
                      "Tensor<double> B([i], SparseVector); B[i] = " +
                      chain("A[i]", " @s A[i]", 60) + ";")),
      HasSubstr("operators stand for more than 10000 operations"));
}

TEST(Robustness, manyLabelsAreRefused) {
  std::string labels;
  for (int i = 0; i < 100; ++i)
    labels += (i ? ", l" : "l") + std::to_string(i);
  EXPECT_THAT(
      analyzed(inMain("IndexLabel [" + labels + "] = [2]; Tensor<double> A[" + labels + "];")),
      HasSubstr("a tensor has at most 32"));
}

TEST(Robustness, hugeNumbers) {
  std::string digits(100000, '9');
  EXPECT_THAT(analyzed(inMain("var x = " + digits + ";")), HasSubstr("too large for a double"));
  EXPECT_THAT(analyzed(inMain("var x = 1e999999999999;")), HasSubstr("too large for a double"));
  EXPECT_THAT(analyzed(inMain("var x = 1e-999999999999;")), HasSubstr("x = 0"));
  EXPECT_THAT(analyzed(inMain("IndexLabel [i] = [" + digits + "];")),
              HasSubstr("too large for a size"));
  EXPECT_THAT(analyzed(inMain("IndexLabel [i] = [0:9223372036854775807:9223372036854775807];")),
              testing::IsEmpty());
  EXPECT_THAT(
      analyzed(inMain("IndexLabel [i] = [9223372036854775807]; Tensor<double> A[i]; A[i] = 1;")),
      HasSubstr("fill A = 1 [i = 9223372036854775807]"));
}

TEST(Robustness, everyPrefixAndEveryBytePasses) {
  std::string program = R"(def main() {
  IndexLabel [i, j] = [4]; IndexLabel [s] = [0:4:2];
  Tensor<double> A([i, j], {(r, c) -> (r : dense, c : compressed(nonunique)), pos = 32});
  A[i, j] = read("a.mtx", 2); var x = -SUM(A[i,j] .* A[i,j]) / 2.5e-1;
  print(transpose(A[i,j], {j,i})); A[i,j] += x * (A[i,j] - 1);
  A[i, j] = A[j, i] schedule { reorder(i, j); f({i}, 32) };
})";
  for (size_t length = 0; length <= program.size(); ++length)
    analyzed(program.substr(0, length));
  for (size_t at = 0; at < program.size(); at += 3)
    for (char byte : {'\0', '\xff', '(', '{', '"', '#', '\n', ';', ':'}) {
      std::string changed = program;
      changed[at] = byte;
      analyzed(changed);
      emitted(changed);
    }
}

TEST(Robustness, sourceLinesAreShownSafely) {
  std::string text = analyzed("def main() {\n\tvar x = \x1b[31m\x80 + y;\n}");
  EXPECT_THAT(text, HasSubstr("      var x = ?[31m? + y;\n"));
  text = analyzed("def main() { # \xC3\xA9\xE2\x82\xAC\n var \xC3\xA9 = 1; }");
  EXPECT_THAT(text, HasSubstr("   var \xC3\xA9 = 1; }\n       ^\n"));
  // A long line is cut around the place.
  std::string line = "var x = 1" + std::string(5000, ' ') + "+ y;" + std::string(5000, ' ');
  text = analyzed(inMain(line));
  EXPECT_LT(text.size(), 700u);
  EXPECT_THAT(text, HasSubstr("+ y;"));
}

TEST(Robustness, messagesAreLimited) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "x" + std::to_string(i) + " = ;\n";
  Source source(inMain(text));
  parseProgram(source.id, source.diagnostics);
  EXPECT_EQ(source.diagnostics.all().size(), Diagnostics::maxErrors);
  EXPECT_THAT(source.messages(), HasSubstr("note: stopped after 20 errors\n"));
}

} // namespace
} // namespace strata::frontend
