// Tests of strata.h: statements and programs, what they compute, and what is told of them.
#include "ApiTest.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace {

using namespace strata::test;
using testing::ElementsAre;
using testing::HasSubstr;

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

TEST_F(ApiTest, StatementsAreComputed) {
  strata_statement *spmv =
      statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
  EXPECT_STREQ(strata_statement_operand(spmv, 0), "A");
  EXPECT_STREQ(strata_statement_operand(spmv, 1), "x");
  EXPECT_EQ(strata_statement_operand(spmv, 2), nullptr);
  EXPECT_TRUE(strata_format_is_full(strata_statement_result(spmv)));
  for (int round = 0; round < 3; ++round) // the later ones repeat a call
    EXPECT_THAT(valuesOf(run(spmv, {matrix(), vector(ones)})), ElementsAre(3, 0, 7));
  EXPECT_LE(strata_session_compiled(session), 1);
  EXPECT_EQ(strata_session_repeated(session), 2);
}

TEST_F(ApiTest, RepeatedCallsSeeOtherValuesPatternsAndSizes) {
  strata_statement *product =
      statement("C(i,k) = A(i,j) * B(k,j)", {{"A", format("CSR", 2)}, {"B", format("CSR", 2)}});
  EXPECT_STREQ(strata_format_name(strata_statement_result(product)), "CSR");
  strata_tensor *a = matrix();
  auto isZero = [](double value) { return value == 0; };
  auto entriesOf = [&](strata_tensor *second) {
    std::vector<double> all = valuesOf(run(product, {a, second}));
    std::erase_if(all, isZero); // of rows that meet nowhere
    return all;
  };
  EXPECT_THAT(entriesOf(a), ElementsAre(5, 8, 8, 25));
  values[0] = 2;
  EXPECT_THAT(entriesOf(a), ElementsAre(8, 8, 8, 25));
  std::vector<int32_t> pos2 = {0, 1, 1}, crd2 = {3};
  std::vector<double> values2 = {10};
  std::array<strata_array, 3> arrays = {array(pos2, STRATA_I32), array(crd2, STRATA_I32),
                                        array(values2, STRATA_F64)};
  std::array<int64_t, 2> sizes2 = {2, 4};
  strata_tensor *b = nullptr;
  succeed(strata_tensor_from_buffers(session, format("CSR", 2), sizes2.data(), arrays.data(), 3,
                                     STRATA_ADOPT, nullptr, nullptr, &b));
  EXPECT_THAT(entriesOf(keep(b)), ElementsAre(20, 40));
}

TEST_F(ApiTest, ScalarsAreArgumentsOfOneKernel) {
  strata_statement *scaled = statement("B(i,j) = alpha * A(i,j)",
                                       {{"alpha", format("Dense", 0)}, {"A", format("CSR", 2)}});
  int64_t before = -1;
  for (double alpha = 1; alpha <= 100; ++alpha) {
    std::vector<double> one = {alpha};
    strata_array element = array(one, STRATA_F64);
    strata_tensor *scalar = nullptr;
    succeed(strata_tensor_from_buffers(session, format("Dense", 0), nullptr, &element, 1,
                                       STRATA_COPY, nullptr, nullptr, &scalar));
    std::vector<strata_tensor *> operands = {keep(scalar), matrix()};
    if (std::string(strata_statement_operand(scaled, 0)) == "A")
      std::swap(operands[0], operands[1]);
    EXPECT_THAT(valuesOf(run(scaled, operands)),
                ElementsAre(alpha, 2 * alpha, 3 * alpha, 4 * alpha));
    if (before < 0)
      before = strata_session_compiled(session);
  }
  EXPECT_EQ(strata_session_compiled(session), before);
}

TEST_F(ApiTest, FormatsOfResultsFollowFromTheExpression) {
  struct Case {
    const char *text, *a, *b, *result;
  };
  for (Case one : {Case{"C(i,j) = A(i,j) + B(i,j)", "CSR", "CSR", "CSR"},
                   {"C(i,j) = A(i,j) + B(i,j)", "CSR", "Dense", "Dense"},
                   {"C(i,j) = A(i,j) * B(i,j)", "CSR", "Dense", "CSR"},
                   {"C(i,j) = A(i,j) * B(i,j)", "CSC", "CSC", "CSC"},
                   {"C(i,j) = A(i,j) + B(i,j)", "COO", "COO", "COO"},
                   {"C(i,k) = A(i,j) * B(j,k)", "CSR", "CSR", "CSR"},
                   {"C(i,k) = A(i,j) * B(j,k)", "CSR", "Dense", "Dense"},
                   {"C(i,k) = A(i,j) * B(k,j)", "CSR", "CSR", "CSR"},
                   {"C(i,k) = A(i,j) * B(j,k)", "CSC", "CSC", "CSC"},
                   {"C(j,i) = A(i,j) + B(i,j)", "CSR", "CSR", "CSC"},
                   {"C(i,j) = max(A(i,j), B(i,j))", "CSR", "CSR", "CSR"},
                   {"C(i,j) = A(i,j) + B(i,j) + 1", "CSR", "CSR", "Dense"}})
    EXPECT_STREQ(strata_format_name(strata_statement_result(
                     statement(one.text, {{"A", format(one.a, 2)}, {"B", format(one.b, 2)}}))),
                 one.result)
        << one.text;
}

TEST_F(ApiTest, FormatsOfRowsThatAreLookedUp) {
  auto formatOf = [&](const char *text, const char *a) {
    return std::string(strata_format_name(strata_statement_result(
        statement(text, {{"A", format(a, 2)}, {"p", format("Dense", 1, STRATA_I64)}}))));
  };
  EXPECT_EQ(formatOf("R(i,j) = A(p(i),j)", "CSR"), "CSR");
  EXPECT_EQ(formatOf("R(i,j) = A(p(i),j)", "Dense"), "Dense");
  EXPECT_EQ(formatOf("R(i,j) = A(p(i),p(j))", "Dense"), "Dense");
}

TEST_F(ApiTest, FormatsOfResultsDoNotDependOnHowAMatrixIsStored) {
  auto formatOf = [&](const char *text, const char *a, int32_t order, const char *b) {
    return std::string(strata_format_name(
        strata_statement_result(statement(text, {{"A", format(a, 2)}, {"B", format(b, order)}}))));
  };
  for (const char *a : {"CSR", "CSC", "COO", "DIA", "BCSR:2x2"}) {
    EXPECT_EQ(formatOf("C(i,k) = A(i,j) * B(j,k)", a, 2, "Dense"), "Dense") << a;
    EXPECT_EQ(formatOf("C(i,k) = A(j,i) * B(j,k)", a, 2, "Dense"), "Dense") << a;
    EXPECT_EQ(formatOf("C(i) = A(i,j) * B(j)", a, 1, "Dense"), "Dense") << a;
    EXPECT_NE(formatOf("C(i,k) = A(i,j) * B(j,k)", a, 2, "CSR"), "Dense") << a;
    EXPECT_NE(formatOf("C(n,j) = concat(n, A, B)", a, 2, "CSR"), "Dense") << a;
  }
  EXPECT_EQ(formatOf("C(i,k) = A(i,j) * B(j,k)", "DCSR", 2, "Dense"), "ModeGeneric");
  EXPECT_EQ(formatOf("C(n,j) = concat(n, A, B)", "CSR", 2, "COO"), "CSR");
  EXPECT_EQ(formatOf("C(n,j) = concat(n, A, B)", "CSR", 2, "Dense"), "Dense");
}

TEST_F(ApiTest, TypesOfResultsFollowFromTheExpression) {
  auto typeOf = [&](const char *text, strata_type a, strata_type b) {
    return strata_format_type(strata_statement_result(
        statement(text, {{"A", format("Dense", 1, a)}, {"B", format("Dense", 1, b)}})));
  };
  EXPECT_EQ(typeOf("C(i) = A(i) + B(i)", STRATA_F32, STRATA_F32), STRATA_F32);
  EXPECT_EQ(typeOf("C(i) = A(i) + B(i)", STRATA_F32, STRATA_F64), STRATA_F64);
  EXPECT_EQ(typeOf("C(i) = A(i) * B(i)", STRATA_I8, STRATA_I8), STRATA_I8);
  EXPECT_EQ(typeOf("C(i) = A(i) == B(i)", STRATA_F64, STRATA_F64), STRATA_BOOL);
  EXPECT_EQ(typeOf("C(i) = A(i) / B(i)", STRATA_I32, STRATA_I32), STRATA_F64);
  EXPECT_EQ(typeOf("C(i) = A(i) * B(i)", STRATA_C128, STRATA_F64), STRATA_C128);
}

TEST_F(ApiTest, UpdatesLeaveOperandsAlone) {
  std::vector<double> old = {10, 20, 30};
  strata_tensor *y = vector(old), *x = vector(ones);
  strata_statement *update =
      statement("y(i) += A(i,j) * x(j)",
                {{"y", format("Dense", 1)}, {"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
  std::vector<strata_tensor *> operands;
  for (int32_t at = 0; const char *name = strata_statement_operand(update, at); ++at)
    operands.push_back(*name == 'y' ? y : *name == 'x' ? x : matrix());
  EXPECT_THAT(valuesOf(run(update, operands)), ElementsAre(13, 20, 37));
  EXPECT_THAT(old, ElementsAre(10, 20, 30));
}

TEST_F(ApiTest, SchedulesAreTakenOrRefused) {
  std::vector<strata_operand> operands = {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}};
  strata_statement_options options = {};
  options.schedule = "split(i, i0, i1, 2)";
  EXPECT_THAT(valuesOf(run(statement("y(i) = A(i,j) * x(j)", operands, &options),
                           {matrix(), vector(ones)})),
              ElementsAre(3, 0, 7));
  options.schedule = "splt(i, i0, i1, 2)";
  EXPECT_EQ(refusal("y(i) = A(i,j) * x(j)", operands, &options).kind, STRATA_ERROR_SCHEDULE);
  options.schedule = "split(q, i0, i1, 2)";
  EXPECT_EQ(refusal("y(i) = A(i,j) * x(j)", operands, &options).kind, STRATA_ERROR_SCHEDULE);
}

TEST_F(ApiTest, PatternsAreAssembledOnce) {
  std::vector<strata_operand> operands = {{"A", format("CSR", 2)}, {"B", format("CSR", 2)}};
  strata_statement *sum = statement("C(i,j) = A(i,j) + 2 * B(i,j)", operands);
  strata_tensor *both[] = {matrix(), matrix()}, *pattern = nullptr, *result = nullptr;
  succeed(strata_statement_assemble(sum, both, 2, &pattern));
  keep(pattern);
  EXPECT_THAT(valuesOf(pattern), ElementsAre(0, 0, 0, 0));
  succeed(strata_statement_compute(sum, both, 2, pattern, &result));
  keep(result);
  EXPECT_THAT(valuesOf(result), ElementsAre(3, 6, 9, 12));
  EXPECT_THAT(valuesOf(pattern), ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(strata_tensor_array(result, 1).data, strata_tensor_array(pattern, 1).data);
  // The result keeps the arrays that it refers to.
  strata_tensor_retain(result);
  EXPECT_THAT(valuesOf(run(sum, {result, matrix()})), ElementsAre(5, 10, 15, 20));
  strata_tensor_release(result);
}

TEST_F(ApiTest, ResultsInMemoryThatIsThere) {
  std::vector<double> memory = {9, 9, 9};
  strata_tensor *target = vector(memory), *given[] = {matrix(), vector(ones)};
  std::vector<strata_operand> operands = {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}};
  strata_statement *product = statement("y(i) = A(i,j) * x(j)", operands);
  for (int round = 0; round < 3; ++round) {
    memory.assign(3, 9);
    succeed(strata_statement_run_into(product, given, 2, target));
    EXPECT_THAT(memory, ElementsAre(3, 0, 7));
  }
  EXPECT_THAT(valuesOf(run(product, {matrix(), vector(ones)})), ElementsAre(3, 0, 7));
  // A copy, which no kernel computes in place, and one of another order than the target's.
  std::vector<strata_operand> one = {{"x", format("Dense", 1)}};
  std::vector<double> three = {4, 5, 6};
  strata_tensor *source[] = {vector(three)};
  succeed(strata_statement_run_into(statement("y(i) = x(i)", one), source, 1, target));
  EXPECT_THAT(memory, ElementsAre(4, 5, 6));
  std::vector<double> longer(4);
  EXPECT_EQ(failureOf(strata_statement_run_into(product, given, 2, vector(longer))).kind,
            STRATA_ERROR_SHAPE);
  EXPECT_EQ(failureOf(strata_statement_run_into(product, given, 2, matrix())).kind,
            STRATA_ERROR_FORMAT);
  EXPECT_EQ(failureOf(strata_statement_run_into(product, given, 1, target)).kind,
            STRATA_ERROR_ARGUMENT);
}

TEST_F(ApiTest, TargetsThatAreOperandsAreRefused) {
  std::vector<double> memory = {0, 1, 0, 0, 0, 1, 1, 0, 0, 5, 6, 7};
  auto part = [&](size_t begin, std::vector<int64_t> sizes, const char *stored) {
    strata_array elements = {memory.data() + begin, sizes.size() == 2 ? 9 : 3, STRATA_F64};
    strata_tensor *tensor = nullptr;
    succeed(strata_tensor_from_buffers(session, format(stored, int32_t(sizes.size())), sizes.data(),
                                       &elements, 1, STRATA_ADOPT, nullptr, nullptr, &tensor));
    return keep(tensor);
  };
  strata_tensor *given[] = {part(0, {3, 3}, "Dense"), part(9, {3}, "Dense")};
  std::vector<strata_operand> operands = {{"B", format("Dense", 2)}, {"x", format("Dense", 1)}};
  strata_statement *turned = statement("y(i) = B(i,j) * x(j)", operands);
  std::vector<double> apart(3);
  for (int round = 0; round < 2; ++round) {
    succeed(strata_statement_run_into(turned, given, 2, vector(apart)));
    EXPECT_THAT(apart, ElementsAre(6, 7, 5));
    EXPECT_THAT(failureOf(strata_statement_run_into(turned, given, 2, given[1])).message,
                HasSubstr("operand 2"));
    EXPECT_THAT(
        failureOf(strata_statement_run_into(turned, given, 2, part(7, {3}, "Dense"))).message,
        HasSubstr("operand 1"));
  }
  EXPECT_THAT(memory, ElementsAre(0, 1, 0, 0, 0, 1, 1, 0, 0, 5, 6, 7));
}

TEST_F(ApiTest, PatternsThatDoNotFit) {
  std::vector<strata_operand> operands = {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}};
  strata_statement *scaled = statement("C(i,j) = A(i,j) * x(j)", operands);
  strata_tensor *given[] = {matrix(), vector(ones)}, *result = nullptr;
  auto kindWith = [&](strata_tensor *pattern) {
    return failureOf(strata_statement_compute(scaled, given, 2, pattern, &result)).kind;
  };
  EXPECT_EQ(kindWith(vector(ones)), STRATA_ERROR_FORMAT);
  std::vector<int32_t> few = {0, 1, 1, 1}, column = {1};
  std::vector<double> one = {1};
  auto patternOf = [&](std::vector<int64_t> shape) {
    std::array<strata_array, 3> arrays = {array(few, STRATA_I32), array(column, STRATA_I32),
                                          array(one, STRATA_F64)};
    strata_tensor *tensor = nullptr;
    succeed(strata_tensor_from_buffers(session, format("CSR", 2), shape.data(), arrays.data(), 3,
                                       STRATA_ADOPT, nullptr, nullptr, &tensor));
    return keep(tensor);
  };
  EXPECT_EQ(kindWith(patternOf({3, 5})), STRATA_ERROR_SHAPE);
  EXPECT_EQ(kindWith(patternOf({3, 4})), STRATA_ERROR_ARGUMENT); // an entry is missing
  strata_statement_options options = {};
  options.result = format("ELL", 2);
  strata_statement *padded = statement("C(i,j) = A(i,j) * x(j)", operands, &options);
  Failure failure = failureOf(strata_statement_assemble(padded, given, 2, &result));
  EXPECT_EQ(failure.kind, STRATA_ERROR_UNSUPPORTED);
  EXPECT_THAT(failure.message, HasSubstr("cannot be made apart"));
}

TEST_F(ApiTest, ExpressionsThatAreNone) {
  std::vector<strata_operand> operands = {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}};
  Failure failure = refusal("y(i) = A(i,j) * ", operands);
  EXPECT_EQ(failure.kind, STRATA_ERROR_EXPRESSION);
  EXPECT_EQ(failure.line, 1);
  EXPECT_EQ(failure.column, 17);
  EXPECT_EQ(failure.text, "y(i) = A(i,j) * ");
  failure = refusal("y(i) = A(i,j) * z(j)", {{"A", format("CSR", 2)}});
  EXPECT_THAT(failure.message, HasSubstr("'z'"));
  EXPECT_THAT(failure.hint, HasSubstr("the operands"));
  EXPECT_EQ(refusal("s = x(i,j)", {{"x", format("Dense", 1)}}).kind, STRATA_ERROR_SHAPE);
  failure = refusal("y(i) = A(i,j)", operands);
  EXPECT_EQ(failure.kind, STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(failure.message, "the statement has no tensor 'x'");
}

TEST_F(ApiTest, OperandsThatDoNotFit) {
  strata_statement *spmv =
      statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
  strata_tensor *result = nullptr;
  std::vector<double> shorter = {1, 1, 1};
  std::array<strata_tensor *, 2> operands = {matrix(), vector(shorter)};
  Failure failure = failureOf(strata_statement_run(spmv, operands.data(), 2, &result));
  EXPECT_EQ(failure.kind, STRATA_ERROR_SHAPE);
  EXPECT_EQ(failure.message, "'j' has two sizes: 4 from A, 3 from x");
  failure = failureOf(strata_statement_run(spmv, operands.data(), 1, &result));
  EXPECT_EQ(failure.kind, STRATA_ERROR_ARGUMENT);
  strata_tensor *csc = nullptr;
  succeed(strata_tensor_convert(operands[0], format("CSC", 2), &csc));
  operands = {keep(csc), vector(ones)};
  failure = failureOf(strata_statement_run(spmv, operands.data(), 2, &result));
  EXPECT_EQ(failure.kind, STRATA_ERROR_FORMAT);
  EXPECT_THAT(failure.message, HasSubstr("'A' is {CSC, pos = 32, crd = 32}"));
  EXPECT_EQ(result, nullptr);
  operands[0] = matrix();
  EXPECT_THAT(valuesOf(run(spmv, {operands[0], operands[1]})), ElementsAre(3, 0, 7));
}

TEST_F(ApiTest, DivisionOfIntegersByZero) {
  std::vector<int64_t> a = {1, 2}, b = {1, 0};
  int64_t size = 2;
  std::array<strata_tensor *, 2> operands = {};
  for (auto [at, data] : {std::pair{0, &a}, std::pair{1, &b}}) {
    strata_array elements = array(*data, STRATA_I64);
    succeed(strata_tensor_from_buffers(session, format("Dense", 1, STRATA_I64), &size, &elements, 1,
                                       STRATA_ADOPT, nullptr, nullptr, &operands[at]));
    keep(operands[at]);
  }
  strata_statement *rest =
      statement("c(i) = mod(a(i), b(i))", {{"a", formats[0]}, {"b", formats[1]}});
  strata_tensor *result = nullptr;
  EXPECT_EQ(failureOf(strata_statement_run(rest, operands.data(), 2, &result)).kind,
            STRATA_ERROR_ARITHMETIC);
}

TEST_F(ApiTest, MemoryIsLimited) {
  strata_session_limit_memory(session, 1 << 20);
  std::vector<double> many(1 << 10, 1);
  strata_tensor *x = vector(many), *result = nullptr;
  strata_statement *outer = statement("C(i,j) = x(i) * x(j)", {{"x", format("Dense", 1)}});
  EXPECT_EQ(failureOf(strata_statement_run(outer, &x, 1, &result)).kind, STRATA_ERROR_MEMORY);
  strata_session_limit_memory(session, -1);
  EXPECT_EQ(strata_tensor_stored(run(outer, {x})), 1 << 20);
}

TEST_F(ApiTest, StatementsAreExplained) {
  strata_statement *spmv =
      statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
  for (auto [as, part] : {std::pair{0, "  operand  A: double, ? x ?, CSR"},
                          std::pair{1, "\"schedule\": \"parallelize(i, CPUThread, NoRaces)\""},
                          std::pair{2, "<h3>Merge lattices</h3>"}}) {
    char *text = nullptr;
    succeed(strata_statement_explain(spmv, nullptr, 0, as, &text));
    EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, Not(HasSubstr("expected")));
    strata_text_free(text);
  }
  std::vector<double> x{1, 2, 3, 4};
  strata_tensor *operands[] = {matrix(), vector(x)};
  char *text = nullptr;
  succeed(strata_statement_explain(spmv, operands, 2, 0, &text));
  EXPECT_THAT(text, HasSubstr("expected"));
  strata_text_free(text);
  EXPECT_EQ(failureOf(strata_statement_explain(spmv, operands, 1, 0, &text)).kind,
            STRATA_ERROR_ARGUMENT);
}

TEST_F(ApiTest, KernelsAreKeptInAFolder) {
  std::string folder = testing::TempDir() + "strata-api-kernels";
  succeed(strata_session_keep_kernels(session, folder.c_str()));
  std::vector<double> x{1, 2, 3, 4};
  run(statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}}),
      {matrix(), vector(x)});
  EXPECT_FALSE(std::filesystem::is_empty(folder));
  succeed(strata_session_keep_kernels(session, nullptr));
  std::filesystem::permissions(folder, std::filesystem::perms::all);
  EXPECT_EQ(failureOf(strata_session_keep_kernels(session, folder.c_str())).kind,
            STRATA_ERROR_FILE);
  std::filesystem::remove_all(folder);
}

TEST_F(ApiTest, StatementsAreShown) {
  strata_statement *spmv =
      statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
  char *text = nullptr;
  succeed(strata_statement_show(spmv, "loops", &text));
  EXPECT_THAT(text, HasSubstr("for j in A2"));
  strata_text_free(text);
  succeed(strata_statement_show(spmv, "c", &text));
  EXPECT_THAT(text, HasSubstr("A2_pos[i + 1]"));
  strata_text_free(text);
  EXPECT_THAT(failureOf(strata_statement_show(spmv, "nothing", &text)).hint, HasSubstr("cin"));
  EXPECT_THAT(valuesOf(run(spmv, {matrix(), vector(ones)})), ElementsAre(3, 0, 7));
}

TEST_F(ApiTest, ThreadsAreChosen) {
  int32_t all = strata_threads();
  for (int32_t count : {1, 3}) {
    strata_set_threads(count);
    EXPECT_EQ(strata_threads(), std::min(count, all)); // as many as there are
    EXPECT_THAT(valuesOf(run(statement("y(i) = A(i,j) * x(j)",
                                       {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}}),
                             {matrix(), vector(ones)})),
                ElementsAre(3, 0, 7));
  }
  strata_set_threads(0);
  EXPECT_EQ(strata_threads(), all);
}

TEST_F(ApiTest, ManyThreadsShareASession) {
  strata_tensor *a = matrix(), *x = vector(ones);
  std::vector<strata_operand> operands = {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}};
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 10; ++thread)
    threads.emplace_back([&] {
      strata_statement *own = nullptr;
      strata_tensor *result = nullptr;
      std::array<strata_tensor *, 2> both = {a, x};
      if (failureOf(strata_statement_create(session, "y(i) = 3 * A(i,j) * x(j)", operands.data(), 2,
                                            nullptr, &own))
              .kind)
        return;
      for (int round = 0; round < 50; ++round) {
        if (failureOf(strata_statement_run(own, both.data(), 2, &result)).kind)
          return;
        right += valuesOf(result) == std::vector<double>{9, 0, 21};
        strata_tensor_release(result);
      }
      strata_statement_release(own);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 500);
  EXPECT_LE(strata_session_compiled(session), 1);
}

//===------------------------------------------------------------------------------------------===//
// Programs
//===------------------------------------------------------------------------------------------===//

TEST_F(ApiTest, ProgramsAreRun) {
  const char *text = "def main() {\n"
                     "  IndexLabel [i] = [size];\n"
                     "  Tensor<double> x([i], Dense);\n"
                     "  x[i] = 2.0;\n"
                     "  for (t in range(3)) { x[i] = x[i] * x[i]; }\n"
                     "  var total = SUM(x[i]);\n"
                     "  print(total);\n"
                     "}\n";
  strata_parameter size = {"size", "3"};
  strata_outcome *outcome = nullptr;
  succeed(strata_program_run(session, text, "powers.ta", &size, 1, nullptr, 0, nullptr, &outcome));
  EXPECT_STREQ(strata_outcome_printed(outcome), "total = 768\n");
  EXPECT_STREQ(strata_outcome_name(outcome, 0), "total");
  EXPECT_STREQ(strata_outcome_name(outcome, 1), "x");
  EXPECT_EQ(strata_outcome_name(outcome, 2), nullptr);
  EXPECT_THAT(valuesOf(strata_outcome_tensor(outcome, 1)), ElementsAre(256, 256, 256));
  strata_outcome_release(outcome);
  const char *wanted = "x", *unknown = "y";
  succeed(strata_program_run(session, text, "powers.ta", &size, 1, &wanted, 1, nullptr, &outcome));
  EXPECT_THAT(valuesOf(strata_outcome_tensor(outcome, 0)), ElementsAre(256, 256, 256));
  strata_outcome_release(outcome);
  EXPECT_EQ(failureOf(strata_program_run(session, text, "powers.ta", &size, 1, &unknown, 1, nullptr,
                                         &outcome))
                .kind,
            STRATA_ERROR_ARGUMENT);
  Failure failure = failureOf(strata_program_run(session, "def main() {\n  x[i] = 1;\n}", "bad.ta",
                                                 nullptr, 0, nullptr, 0, nullptr, &outcome));
  EXPECT_EQ(failure.kind, STRATA_ERROR_EXPRESSION);
  EXPECT_EQ(failure.line, 2);
}

} // namespace
