// Tests of strata.h: ranks, machines, and tensors in pieces, in one process. test/dist/machines.py
// has several.
#include "ApiTest.h"

namespace {

using namespace strata::test;
using testing::ElementsAre;
using testing::HasSubstr;

class MachinesTest : public ApiTest {
protected:
  void SetUp() override {
    ApiTest::SetUp();
    succeed(strata_ranks_create(session, nullptr, 0, &ranks));
    machine = makeMachine("M", {2});
  }
  void TearDown() override {
    releaseHandles();
    for (strata_machine *made : machines)
      strata_machine_release(made);
    strata_ranks_release(ranks);
    strata_session_release(session);
  }

  strata_machine *makeMachine(const char *name, std::vector<int64_t> cells) {
    strata_machine *made = nullptr;
    succeed(strata_machine_create(ranks, name, cells.data(), int32_t(cells.size()), &made));
    machines.push_back(made);
    return made;
  }

  strata_tensor *place(strata_tensor *tensor, const char *text, strata_machine *on) {
    strata_tensor *placed = nullptr;
    succeed(strata_tensor_place(tensor, format(text, strata_tensor_order(tensor)), on, &placed));
    return keep(placed);
  }

  strata_tensor *piece(strata_tensor *tensor, int32_t index) {
    strata_tensor *found = nullptr;
    succeed(strata_tensor_piece(tensor, index, &found));
    return keep(found);
  }

  strata_ranks *ranks = nullptr;
  strata_machine *machine = nullptr;
  std::vector<strata_machine *> machines;
};

TEST_F(MachinesTest, AreGridsOfCells) {
  EXPECT_EQ(strata_ranks_rank(ranks), 0);
  EXPECT_EQ(strata_ranks_size(ranks), 1);
  EXPECT_STREQ(strata_ranks_library(ranks), "none");
  EXPECT_EQ(strata_ranks_sent(ranks), 0);
  strata_machine *grid = makeMachine("N", {3, 0});
  EXPECT_STREQ(strata_machine_name(grid), "N");
  EXPECT_EQ(strata_machine_axes(grid), 2);
  EXPECT_EQ(strata_machine_cells(grid)[0], 3);
  EXPECT_EQ(strata_machine_cells(grid)[1], 1); // what one rank leaves
  EXPECT_EQ(strata_machine_ranks(grid), ranks);
  strata_machine *none = nullptr;
  int64_t cells = -1;
  EXPECT_EQ(failureOf(strata_machine_create(ranks, "M", &cells, 1, &none)).kind,
            STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(failureOf(strata_machine_create(ranks, "M", &cells, 0, &none)).kind,
            STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(failureOf(strata_machine_create(ranks, "1M", &cells, 1, &none)).kind,
            STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(failureOf(strata_ranks_settle(ranks, 0, "")).kind, 0);
  EXPECT_EQ(failureOf(strata_ranks_settle(ranks, STRATA_ERROR_FILE, "no file [SE1301]")).kind, 0);
}

TEST_F(MachinesTest, FormatsNameThem) {
  EXPECT_STREQ(strata_format_machine(format("CSR on M(i)", 2)), "M");
  EXPECT_STREQ(strata_format_name(format("CSR on M(~(i,j))", 2)), "CSR on M(~(i, j))");
  EXPECT_EQ(strata_format_machine(format("CSR", 2)), nullptr);
  EXPECT_FALSE(strata_format_equal(format("CSR", 2), format("CSR on M(i)", 2)));
  strata_format *wrong = nullptr;
  EXPECT_EQ(failureOf(strata_format_parse(session, "CSR on M(k)", 2, STRATA_F64, &wrong)).kind,
            STRATA_ERROR_FORMAT);
}

TEST_F(MachinesTest, HavePiecesOfTensors) {
  strata_tensor *a = place(matrix(), "CSR on M(i)", machine);
  EXPECT_EQ(strata_tensor_machine(a), machine);
  EXPECT_EQ(strata_tensor_stored(a), 4);
  ASSERT_EQ(strata_tensor_piece_count(a), 2);
  EXPECT_EQ(strata_tensor_piece_cell(a, 1), 1);
  EXPECT_EQ(strata_tensor_piece_first(a, 1)[0], 2);
  EXPECT_EQ(strata_tensor_piece_end(a, 1)[0], 3);
  EXPECT_THAT(valuesOf(piece(a, 0)), ElementsAre(1, 2));
  EXPECT_THAT(valuesOf(piece(a, 1)), ElementsAre(3, 4));
  EXPECT_EQ(strata_tensor_piece_cell(a, 2), -1);
  EXPECT_EQ(strata_tensor_piece_first(a, -1), nullptr);
  EXPECT_EQ(strata_tensor_array(a, 0).data, nullptr);
  strata_tensor *none = nullptr;
  EXPECT_EQ(failureOf(strata_tensor_piece(a, 2, &none)).kind, STRATA_ERROR_ARGUMENT);
  strata_tensor *whole = place(a, "CSR", nullptr);
  EXPECT_EQ(strata_tensor_machine(whole), nullptr);
  EXPECT_EQ(strata_tensor_piece_count(whole), 0);
  EXPECT_THAT(valuesOf(whole), ElementsAre(1, 2, 3, 4));
  strata_tensor *copied = nullptr;
  succeed(strata_tensor_copy(a, &copied));
  EXPECT_EQ(strata_tensor_machine(keep(copied)), machine);
  EXPECT_THAT(valuesOf(piece(copied, 1)), ElementsAre(3, 4));
  succeed(strata_tensor_validate(copied));
}

TEST_F(MachinesTest, ComputeStatements) {
  strata_statement_options options = {};
  options.result = format("Dense on M(i)", 1);
  options.machines = &machine;
  options.machine_count = 1;
  strata_statement *spmv =
      statement("y(i) = A(i,j) * x(j)",
                {{"A", format("CSR on M(i)", 2)}, {"x", format("Dense on M(i)", 1)}}, &options);
  strata_tensor *a = place(matrix(), "CSR on M(i)", machine);
  for (double factor : {1.0, 2.0, 3.0}) { // what A was moved for is kept, and x is another
    ones = {factor, factor, factor, factor};
    strata_tensor *y = run(spmv, {a, place(vector(ones), "Dense on M(i)", machine)});
    EXPECT_THAT(valuesOf(piece(y, 0)), ElementsAre(3 * factor, 0));
    EXPECT_THAT(valuesOf(piece(y, 1)), ElementsAre(7 * factor));
  }
  values[0] = 5;
  ones = {1, 1, 1, 1};
  strata_tensor *other = place(matrix(), "CSR on M(i)", machine);
  strata_tensor *x = place(vector(ones), "Dense on M(i)", machine);
  EXPECT_THAT(valuesOf(piece(run(spmv, {other, x}), 0)), ElementsAre(7, 0));
  EXPECT_THAT(valuesOf(piece(run(spmv, {a, x}), 0)), ElementsAre(3, 0));
}

TEST_F(MachinesTest, TakePiecesOfTheirCallers) {
  strata_tensor *made = nullptr;
  std::array<int64_t, 2> whole = {5, 6}, first = {2, 1};
  succeed(strata_tensor_from_piece(machine, format("CSC on M(j)", 2), whole.data(), matrix(),
                                   first.data(), &made));
  EXPECT_THAT(valuesOf(place(keep(made), "CSR", nullptr)), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(strata_tensor_sizes(made)[1], 6);
  first = {3, 0};
  Failure failure = failureOf(strata_tensor_from_piece(
      machine, format("CSC on M(j)", 2), whole.data(), matrix(), first.data(), &made));
  EXPECT_EQ(failure.kind, STRATA_ERROR_SHAPE);
  EXPECT_THAT(failure.message, HasSubstr("3 coordinates from 3 on"));
}

TEST_F(MachinesTest, MistakesAreErrors) {
  strata_tensor *a = place(matrix(), "CSR on M(i)", machine), *made = nullptr;
  for (Failure failure : {failureOf(strata_tensor_convert(a, format("CSC", 2), &made)),
                          failureOf(strata_tensor_spy(a, 0, 1, 0, "/nowhere/a.png")),
                          failureOf(strata_tensor_write(a, "/nowhere/a.mtx"))})
    EXPECT_EQ(failure.kind, STRATA_ERROR_UNSUPPORTED) << failure.message;
  EXPECT_EQ(failureOf(strata_tensor_convert(matrix(), format("CSC on M(i)", 2), &made)).kind,
            STRATA_ERROR_FORMAT);
  EXPECT_EQ(
      failureOf(strata_tensor_empty(session, format("CSC on M(i)", 2), sizes.data(), &made)).kind,
      STRATA_ERROR_FORMAT);
  EXPECT_EQ(failureOf(strata_tensor_place(matrix(), format("CSC on M(i)", 2), nullptr, &made)).kind,
            STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(failureOf(strata_tensor_place(a, format("Dense", 1), nullptr, &made)).kind,
            STRATA_ERROR_SHAPE);
  Failure failure = refusal("y(i) = A(i,j)", {{"A", format("CSR on M(i)", 2)}});
  EXPECT_EQ(failure.kind, STRATA_ERROR_ARGUMENT);
  EXPECT_THAT(failure.message, HasSubstr("'A' is on the machine 'M'"));
  strata_machine *other = makeMachine("M", {3});
  strata_statement_options options = {};
  std::array<strata_machine *, 2> both = {machine, other};
  options.machines = both.data();
  options.machine_count = 2;
  failure = refusal("y(i) = A(i,j)", {{"A", format("CSR on M(i)", 2)}}, &options);
  EXPECT_THAT(failure.message, HasSubstr("two machines are called 'M'"));
  options.machine_count = 1;
  strata_statement *sum = statement("y(i) = A(i,j)", {{"A", format("CSR on M(i)", 2)}}, &options);
  strata_tensor *elsewhere = place(matrix(), "CSR on M(i)", other);
  failure = failureOf(strata_statement_run(sum, &elsewhere, 1, &made));
  EXPECT_THAT(failure.message, HasSubstr("another machine 'M'"));
  succeed(strata_ranks_close(ranks));
  EXPECT_EQ(failureOf(strata_statement_run(sum, &a, 1, &made)).kind, STRATA_ERROR_RANKS);
}

} // namespace
