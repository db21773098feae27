// Products: analyzed once, executed by any threads.
#include "strata/api/tapp/Errors.h"
#include "strata/api/tapp/Statements.h"

#include <cstdlib>
#include <cstring>
#include <memory>

using namespace strata::tapp;

namespace {

// What a TAPP_tensor_product refers to.
struct Product {
  Contraction contraction = {};
  Statement statement = {};
  TAPP_error error = Success; ///< which each execution returns

  ~Product() {
    if (statement.statement)
      release(statement);
  }
};

struct Freed {
  void operator()(void *memory) const { std::free(memory); }
  void operator()(strata_tensor *tensor) const { strata_tensor_release(tensor); }
};
using Memory = std::unique_ptr<void, Freed>;
using TensorHandle = std::unique_ptr<strata_tensor, Freed>;

// One execution of a product.
class Execution {
public:
  Execution(const Contraction &plan, const Statement &statement, const void *A, const void *B,
            const void *C, void *D)
      : plan(plan), statement(statement), A(A), B(B), C(C), D(D) {}

  TAPP_error run(const void *alpha, const void *beta);

private:
  TAPP_error contract(bool intoD);
  TAPP_error take(const Operand &operand, strata_format *format, const void *elements,
                  Memory &memory, TensorHandle &tensor);
  TAPP_error readC();
  template <typename T> void finish(T alpha, T beta, const void *from);

  const Contraction &plan;
  const Statement &statement;
  const void *A, *B, *C;
  void *D;
  TensorHandle result;
  Memory copyOfC;
  std::vector<Loop<3>> loops;
  TAPP_datatype typeC = plan.typeC;
  bool conjugateC = plan.conjugateC;
};

} // namespace

/// So many elements are converted at once.
static constexpr int64_t rowSize = 512;
/// As wide as caches and vectors want it.
static constexpr size_t alignment = 64;

static Memory memoryFor(int64_t count, TAPP_datatype type) {
  size_t bytes = size_t(count) * bytesOf(type);
  return Memory(std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment));
}

static bool overlap(const void *a, TAPP_datatype typeA, Span spanA, const void *b,
                    TAPP_datatype typeB, Span spanB) {
  auto address = [](const void *first, TAPP_datatype type, int64_t offset) {
    return reinterpret_cast<intptr_t>(elementAt(first, type, offset));
  };
  return address(a, typeA, spanA.first) < address(b, typeB, spanB.last + 1) &&
         address(b, typeB, spanB.first) < address(a, typeA, spanA.last + 1);
}

// Gathers the elements of an operand in the order of its dense tensor, sums of them where several
// become one.
template <typename T> static void pack(const Operand &operand, const void *from, T *to) {
  Loop<2> last = {};
  if (!operand.loops.empty())
    last = operand.loops.back();
  if (operand.sums)
    std::fill_n(to, operand.count, T());
  T row[rowSize];
  forEachRow(operand.loops, [&](const std::array<int64_t, 2> &offsets) {
    for (int64_t begin = 0; begin < last.extent; begin += rowSize) {
      const int64_t count = std::min(rowSize, last.extent - begin);
      const void *first = elementAt(from, operand.type, offsets[0] + begin * last.strides[0]);
      T *target = to + offsets[1] + begin * last.strides[1];
      if (!operand.sums && (last.strides[1] == 1 || last.extent == 1)) {
        loadRow(first, operand.type, last.strides[0], count, operand.conjugate, target);
        continue;
      }
      loadRow(first, operand.type, last.strides[0], count, operand.conjugate, row);
      for (int64_t at = 0; at < count; ++at)
        if (operand.sums)
          target[at * last.strides[1]] += row[at];
        else
          target[at * last.strides[1]] = row[at];
    }
  });
}

TAPP_error Execution::take(const Operand &operand, strata_format *format, const void *elements,
                           Memory &memory, TensorHandle &tensor) {
  const void *taken = elements;
  if (operand.packed) {
    memory = memoryFor(operand.count, plan.type);
    if (!memory)
      return NoMemory;
    withComputed(plan.type, [&](auto zero) {
      pack(operand, elements, static_cast<decltype(zero) *>(memory.get()));
    });
    taken = memory.get();
  }
  strata_tensor *made = nullptr;
  TAPP_error error = adopt(format, operand.sizes, operand.count, plan.type, taken, &made);
  tensor.reset(made);
  return error;
}

TAPP_error Execution::contract(bool intoD) {
  Memory memoryA, memoryB;
  TensorHandle a, b;
  if (TAPP_error error = take(plan.A, statement.A, A, memoryA, a))
    return error;
  if (TAPP_error error = take(plan.B, statement.B, B, memoryB, b))
    return error;
  strata_tensor *operands[] = {a.get(), b.get()}, *made = nullptr;
  if (intoD) {
    if (TAPP_error error = adopt(statement.result, plan.sizes, plan.count, plan.type, D, &made))
      return error;
    TensorHandle target(made);
    return errorOf(strata_statement_run_into(statement.statement, operands, 2, target.get()));
  }
  TAPP_error error = errorOf(strata_statement_run(statement.statement, operands, 2, &made));
  result.reset(made);
  return error;
}

// Copies C, which D overlaps otherwise than element by element, before D is written.
TAPP_error Execution::readC() {
  Operand whole = {.type = plan.typeC, .conjugate = plan.conjugateC, .packed = true};
  for (size_t at = loops.size(); at-- > 0;) {
    whole.loops.insert(whole.loops.begin(),
                       {loops[at].extent, {loops[at].strides[1], whole.count}});
    loops[at].strides[1] = whole.count;
    whole.count *= loops[at].extent;
  }
  copyOfC = memoryFor(whole.count, plan.finish);
  if (!copyOfC)
    return NoMemory;
  withComputed(plan.finish,
               [&](auto zero) { pack(whole, C, static_cast<decltype(zero) *>(copyOfC.get())); });
  C = copyOfC.get();
  typeC = plan.finish;
  conjugateC = false;
  return Success;
}

// D = op_D(alpha * from + beta * op_C(C)), where `from` is the result; null: there is none.
template <typename T> void Execution::finish(T alpha, T beta, const void *from) {
  Loop<3> last = {};
  if (!loops.empty())
    last = loops.back();
  T row[rowSize], other[rowSize];
  forEachRow(loops, [&](const std::array<int64_t, 3> &offsets) {
    for (int64_t begin = 0; begin < last.extent; begin += rowSize) {
      const int64_t count = std::min(rowSize, last.extent - begin);
      auto offset = [&](size_t tensor) { return offsets[tensor] + begin * last.strides[tensor]; };
      if (from)
        loadRow(elementAt(from, plan.type, offset(0)), plan.type, last.strides[0], count, false,
                row);
      else
        std::fill_n(row, count, T());
      if (alpha != T(1))
        for (int64_t at = 0; at < count; ++at)
          row[at] *= alpha;
      if (beta != T()) {
        loadRow(elementAt(C, typeC, offset(1)), typeC, last.strides[1], count, conjugateC, other);
        for (int64_t at = 0; at < count; ++at)
          row[at] += beta * other[at];
      }
      storeRow(row, count, plan.conjugateD, elementAt(D, plan.typeD, offset(2)), plan.typeD,
               last.strides[2]);
    }
  });
}

TAPP_error Execution::run(const void *alpha, const void *beta) {
  std::complex<double> scale, scaleC;
  loadRow(alpha, plan.typeD, 1, 1, false, &scale);
  loadRow(beta, plan.typeD, 1, 1, false, &scaleC);
  scale *= plan.factor;
  const bool usesC = scaleC != 0.0;
  if (usesC && !C)
    return MissingC;
  if (plan.isEmpty)
    return Success;
  if (!D || (plan.hasTerms && (!A || !B)))
    return MissingArgument;
  const bool meetsC = usesC && overlap(C, plan.typeC, plan.spanC, D, plan.typeD, plan.spanD);
  auto meets = [&](const Operand &operand, const void *elements) {
    return overlap(elements, operand.type, operand.span, D, plan.typeD, plan.spanD);
  };
  const bool intoD = plan.hasTerms && plan.isD && !meetsC && !meets(plan.A, A) && !meets(plan.B, B);
  if (plan.hasTerms)
    if (TAPP_error error = contract(intoD))
      return error;
  if (intoD && !usesC && scale == 1.0)
    return Success;
  loops = plan.loops;
  if (meetsC && !(plan.likeC && C == D))
    if (TAPP_error error = readC())
      return error;
  const void *from = !plan.hasTerms ? nullptr
                     : intoD        ? D
                                    : strata_tensor_array(result.get(), 0).data;
  withComputed(plan.finish, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>)
      finish(T(scale.real()), T(scaleC.real()), from);
    else
      finish(T(scale), T(scaleC), from);
  });
  return Success;
}

//===------------------------------------------------------------------------------------------===//
// The interface
//===------------------------------------------------------------------------------------------===//

static TAPP_error termFrom(TAPP_element_op op, TAPP_tensor_info info, const int64_t *indices,
                           Term &term) {
  if (!info || (!indices && !infoOf(info)->extents.empty()))
    return MissingArgument;
  if (op != TAPP_IDENTITY && op != TAPP_CONJUGATE)
    return UnknownOperation;
  term = {op, *infoOf(info), {indices, indices + infoOf(info)->extents.size()}};
  return Success;
}

static Product *productOf(TAPP_tensor_product plan) { return reinterpret_cast<Product *>(plan); }

TAPP_error TAPP_create_tensor_product(TAPP_tensor_product *plan, TAPP_handle, TAPP_element_op op_A,
                                      TAPP_tensor_info A, const int64_t *idx_A,
                                      TAPP_element_op op_B, TAPP_tensor_info B,
                                      const int64_t *idx_B, TAPP_element_op op_C,
                                      TAPP_tensor_info C, const int64_t *idx_C,
                                      TAPP_element_op op_D, TAPP_tensor_info D,
                                      const int64_t *idx_D, TAPP_prectype prec) {
  if (!plan)
    return MissingArgument;
  auto product = std::make_unique<Product>();
  Term terms[4];
  TAPP_error error = termFrom(op_A, A, idx_A, terms[0]);
  if (!error)
    error = termFrom(op_B, B, idx_B, terms[1]);
  if (!error)
    error = termFrom(op_C, C, idx_C, terms[2]);
  if (!error)
    error = termFrom(op_D, D, idx_D, terms[3]);
  if (!error &&
      (prec < TAPP_DEFAULT_PREC || prec > TAPP_BF16BF16_ACCUM_F32 || prec == 2 || prec == 3))
    error = UnknownPrecision;
  if (!error)
    error = analyze(terms[0], terms[1], terms[2], terms[3], prec, product->contraction);
  const Contraction &contraction = product->contraction;
  if (!error && !contraction.isEmpty && contraction.hasTerms)
    error = statementFor(contraction, product->statement);
  product->error = error;
  *plan = reinterpret_cast<TAPP_tensor_product>(product.release());
  return error;
}

TAPP_error TAPP_destroy_tensor_product(TAPP_tensor_product plan) {
  delete productOf(plan);
  return Success;
}

TAPP_error TAPP_execute_product(TAPP_tensor_product plan, TAPP_executor, TAPP_status *status,
                                const void *alpha, const void *A, const void *B, const void *beta,
                                const void *C, void *D) {
  if (status)
    *status = 0;
  if (!plan || !alpha || !beta)
    return MissingArgument;
  const Product &product = *productOf(plan);
  if (product.error)
    return product.error;
  return Execution(product.contraction, product.statement, A, B, C, D).run(alpha, beta);
}

TAPP_error TAPP_execute_batched_product(TAPP_tensor_product plan, TAPP_executor exec,
                                        TAPP_status *status, int num_batches, const void *alpha,
                                        const void **A, const void **B, const void *beta,
                                        const void **C, void **D) {
  if (status)
    *status = 0;
  if (num_batches > 0 && (!A || !B || !D))
    return MissingArgument;
  for (int batch = 0; batch < num_batches; ++batch)
    if (TAPP_error error = TAPP_execute_product(plan, exec, status, alpha, A[batch], B[batch], beta,
                                                C ? C[batch] : nullptr, D[batch]))
      return error;
  return Success;
}
