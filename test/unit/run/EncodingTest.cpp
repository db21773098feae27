// The encodings of one sparse matrix that 001 section 5.2 enumerates (levels x orders x widths of
// positions x widths of coordinates): each must give the same SpMM and the same SDDMM, bit for bit.
#include "generator/Case.h"
#include "generator/Workbench.h"
#include "strata/run/Executor.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

namespace {

using namespace strata;
using namespace strata::test;

constexpr unsigned widths[] = {0, 8, 16, 32, 64}; // 0: left open

// The 200 encodings.
std::vector<NamedFormat> encodings() {
  std::vector<NamedFormat> result;
  for (const char *outer : {"dense", "compressed"})
    for (const char *inner : {"dense", "compressed"})
      for (bool byColumns : {false, true})
        for (unsigned pos : widths)
          for (unsigned crd : widths) {
            std::string levels = std::string(byColumns ? "j : " : "i : ") + outer +
                                 (byColumns ? ", i : " : ", j : ") + inner;
            result.push_back(
                withWidths({levels, "#ta.format<(i, j) -> (" + levels + ")>"}, pos, crd));
          }
  return result;
}

Expression accessOf(unsigned tensor, std::vector<unsigned> place) {
  Expression e;
  e.kind = Expression::Kind::access;
  e.tensor = tensor;
  for (unsigned variable : place)
    e.place.push_back(Position::of(variable));
  return e;
}

Expression productOf(Expression x, Expression y) {
  Expression e;
  e.kind = Expression::Kind::binary;
  e.op = "*";
  e.operands = {std::move(x), std::move(y)};
  return e;
}

Expression sumOver(unsigned variable, Expression body) {
  Expression e;
  e.kind = Expression::Kind::reduction;
  e.op = "add";
  e.reduced = {variable};
  e.operands = {std::move(body)};
  return e;
}

// The variables i, j, k = 0, 1, 2 and the operands: A in the encoding, then dense ones.
Case caseOf(const NamedFormat &encoding, Random &random) {
  Case c;
  c.variables = {{"i", 19}, {"j", 23}, {"k", 5}};
  c.tensors.push_back(
      {"A", encoding, drawData(random, {19, 23}, STRATA_F64, {.density = 0.3}), {}});
  return c;
}

// C[i, k] = A[i, j] * B[j, k]
Case spmm(const NamedFormat &encoding) {
  Random random(52);
  Case c = caseOf(encoding, random);
  c.tensors.push_back(
      {"B", {"Dense", ""}, drawData(random, {23, 5}, STRATA_F64, {.density = 1}), {}});
  c.value = sumOver(1, productOf(accessOf(0, {0, 1}), accessOf(1, {1, 2})));
  c.left = {0, 2};
  c.resultFormat = {"Dense", ""};
  return c;
}

// S[i, j] = A[i, j] * P[i, k] * Q[k, j], with the result in the encoding as well.
Case sddmm(const NamedFormat &encoding) {
  Random random(53);
  Case c = caseOf(encoding, random);
  c.tensors.push_back(
      {"P", {"Dense", ""}, drawData(random, {19, 5}, STRATA_F64, {.density = 1}), {}});
  c.tensors.push_back(
      {"Q", {"Dense", ""}, drawData(random, {5, 23}, STRATA_F64, {.density = 1}), {}});
  c.value = productOf(accessOf(0, {0, 1}),
                      sumOver(2, productOf(accessOf(1, {0, 2}), accessOf(2, {2, 1}))));
  c.left = {0, 1};
  c.resultFormat = encoding;
  return c;
}

Content resultOf(Case c) {
  Workbench &bench = Workbench::instance();
  for (unsigned variable : c.left)
    c.out.push_back(Position::of(variable));
  c.resultSlack.assign(c.left.size(), 0);
  for (Operand &operand : c.tensors)
    operand.slack.assign(operand.data.sizes.size(), 0);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(moduleText(c), &bench.context);
  if (!module) {
    ADD_FAILURE() << "does not parse:\n" << moduleText(c);
    return {};
  }
  mlir::PassManager passes(&bench.context);
  addProgramPasses(passes);
  EXPECT_TRUE(succeeded(passes.run(*module)));
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  Executor executor(bench.compiler, RunOptions(), llvm::nulls());
  for (auto [argument, operand] : llvm::zip(main.getArguments(), c.tensors)) {
    auto packed = pack(bench.compiler, toCoordinates(operand.data),
                       mlir::cast<mlir::RankedTensorType>(argument.getType()));
    if (!packed.ok()) {
      ADD_FAILURE() << packed.error().text();
      return {};
    }
    executor.define(argument, std::move(*packed));
  }
  EXPECT_TRUE(succeeded(executor.run(main)));
  mlir::Value result = main.getBody().front().getTerminator()->getOperand(0);
  auto list = unpack(bench.compiler, *executor.value(result));
  if (!list.ok()) {
    ADD_FAILURE() << list.error().text();
    return {};
  }
  return contentOf(*list);
}

// Values are small integers and halves, so that sums are exact in any order.
TEST(Encodings, OneAnswer) {
  NamedFormat plain{"CSR", "#ta.format<(i, j) -> (i : dense, j : compressed)>"};
  // Zeros in the result are dropped where a format cannot tell them from padding: compared as
  // values.
  auto withoutZeros = [](Content content) {
    std::erase_if(content, [](const auto &entry) { return entry.second == 0.0; });
    return content;
  };
  Content product = withoutZeros(resultOf(spmm(plain)));
  Content sampled = withoutZeros(resultOf(sddmm(plain)));
  ASSERT_GT(product.size(), 50u);
  ASSERT_GT(sampled.size(), 50u);
  int count = 0;
  for (const NamedFormat &encoding : encodings()) {
    SCOPED_TRACE(encoding.text);
    ASSERT_TRUE(withoutZeros(resultOf(spmm(encoding))) == product);
    ASSERT_TRUE(withoutZeros(resultOf(sddmm(encoding))) == sampled);
    ++count;
  }
  std::printf("%d encodings give one answer for SpMM and one for SDDMM\n", count);
  EXPECT_EQ(count, 200);
}

} // namespace
