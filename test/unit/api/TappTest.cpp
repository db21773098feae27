// TAPP's products against loops over all values of all indices, with every number a complex one of
// doubles: random indices, extents, strides, types and operations, and what the standard demands.
#include "strata/api/tapp/tapp.h"
#include "strata/api/strata.h"
#include "strata/runtime/storage/HalfFloat.h"

#include <algorithm>
#include <complex>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

using Number = std::complex<double>;
using strata::runtime::BFloat16;
using strata::runtime::Float16;

namespace {

// A tensor with all of the memory that its strides reach.
struct Tensor {
  TAPP_datatype type = TAPP_F64;
  TAPP_element_op op = TAPP_IDENTITY;
  std::vector<int64_t> indices = {}, extents = {}, strides = {};
  std::vector<char> memory = {};
  int64_t first = 0; ///< the element at coordinates 0

  int64_t bytes() const {
    return type == TAPP_C64                        ? 16
           : type == TAPP_F64 || type == TAPP_C32  ? 8
           : type == TAPP_F16 || type == TAPP_BF16 ? 2
                                                   : 4;
  }
  void *data() { return memory.data() + first * bytes(); }
  int64_t count() const { return int64_t(memory.size()) / bytes(); }

  Number get(int64_t place) const {
    const char *at = memory.data() + place * bytes();
    switch (type) {
    case TAPP_F64:
      return *reinterpret_cast<const double *>(at);
    case TAPP_C32:
      return Number(*reinterpret_cast<const std::complex<float> *>(at));
    case TAPP_C64:
      return *reinterpret_cast<const Number *>(at);
    case TAPP_F16:
      return double(float(*reinterpret_cast<const Float16 *>(at)));
    case TAPP_BF16:
      return double(float(*reinterpret_cast<const BFloat16 *>(at)));
    default:
      return double(*reinterpret_cast<const float *>(at));
    }
  }
  void set(int64_t place, Number value) {
    char *at = memory.data() + place * bytes();
    switch (type) {
    case TAPP_F64:
      *reinterpret_cast<double *>(at) = value.real();
      break;
    case TAPP_C32:
      *reinterpret_cast<std::complex<float> *>(at) = std::complex<float>(value);
      break;
    case TAPP_C64:
      *reinterpret_cast<Number *>(at) = value;
      break;
    case TAPP_F16:
      *reinterpret_cast<Float16 *>(at) = Float16(value.real());
      break;
    case TAPP_BF16:
      *reinterpret_cast<BFloat16 *>(at) = BFloat16(value.real());
      break;
    default:
      *reinterpret_cast<float *>(at) = float(value.real());
    }
  }
  int64_t placeOf(const std::map<int64_t, int64_t> &at) const {
    int64_t place = first;
    for (size_t mode = 0; mode < indices.size(); ++mode)
      place += at.at(indices[mode]) * strides[mode];
    return place;
  }
  // Halves and quarters, which every type holds, and whose short sums are exact.
  void allocate(std::mt19937 &random) {
    int64_t low = 0, high = 0;
    for (size_t mode = 0; mode < extents.size(); ++mode) {
      int64_t reach = std::max<int64_t>(extents[mode] - 1, 0) * strides[mode];
      (reach < 0 ? low : high) += reach;
    }
    first = -low;
    memory.assign(size_t((high - low + 1) * bytes()), 0);
    for (int64_t place = 0; place < count(); ++place)
      set(place, Number(double(int(random() % 17) - 8) / 4, double(int(random() % 17) - 8) / 4));
  }
  TAPP_tensor_info info() const {
    TAPP_tensor_info made = 0;
    EXPECT_EQ(
        TAPP_create_tensor_info(&made, type, int(extents.size()), extents.data(), strides.data()),
        0);
    return made;
  }
};

Number conjugatedIf(TAPP_element_op op, Number value) {
  return op == TAPP_CONJUGATE ? std::conj(value) : value;
}

// A product with its tensors.
struct Case {
  Tensor A, B, C, D;
  Number alpha = 1, beta = 0;
  TAPP_prectype precision = TAPP_DEFAULT_PREC;

  std::vector<Tensor *> all() { return {&A, &B, &C, &D}; }

  // What D is to be, element by element.
  Tensor expected() const {
    Tensor result = D;
    std::map<int64_t, int64_t> extents, at;
    for (const Tensor *tensor : {&A, &B, &D})
      for (size_t mode = 0; mode < tensor->indices.size(); ++mode)
        extents[tensor->indices[mode]] = tensor->extents[mode];
    std::vector<int64_t> free(D.indices), summed;
    std::sort(free.begin(), free.end());
    free.erase(std::unique(free.begin(), free.end()), free.end());
    for (auto [index, extent] : extents)
      if (std::find(free.begin(), free.end(), index) == free.end())
        summed.push_back(index);
    auto each = [&](const std::vector<int64_t> &over, auto &&self, size_t depth,
                    auto &&body) -> void {
      if (depth == over.size())
        return body();
      for (at[over[depth]] = 0; at[over[depth]] < extents[over[depth]]; ++at[over[depth]])
        self(over, self, depth + 1, body);
    };
    each(free, each, 0, [&] {
      Number sum = 0;
      each(summed, each, 0, [&] {
        sum += conjugatedIf(A.op, A.get(A.placeOf(at))) * conjugatedIf(B.op, B.get(B.placeOf(at)));
      });
      Number value = alpha * sum;
      if (beta != 0.0)
        value += beta * conjugatedIf(C.op, C.get(C.placeOf(at)));
      result.set(result.placeOf(at), conjugatedIf(D.op, value));
    });
    return result;
  }

  TAPP_error create(TAPP_tensor_product &plan) const {
    TAPP_tensor_info infos[] = {A.info(), B.info(), C.info(), D.info()};
    TAPP_error error = TAPP_create_tensor_product(
        &plan, 0, A.op, infos[0], A.indices.data(), B.op, infos[1], B.indices.data(), C.op,
        infos[2], C.indices.data(), D.op, infos[3], D.indices.data(), precision);
    for (TAPP_tensor_info info : infos)
      TAPP_destroy_tensor_info(info);
    return error;
  }

  TAPP_error execute(TAPP_tensor_product plan, const void *c, void *d) {
    Tensor scalars{.type = D.type};
    scalars.memory.resize(size_t(2 * scalars.bytes()));
    scalars.set(0, alpha);
    scalars.set(1, beta);
    TAPP_status status = 0;
    return TAPP_execute_product(plan, 0, &status, scalars.memory.data(), A.data(), B.data(),
                                scalars.memory.data() + scalars.bytes(), c, d);
  }

  std::string text() {
    std::string text;
    for (Tensor *tensor : all()) {
      text += " type " + std::to_string(tensor->type) + (tensor->op ? "*" : "") + " (";
      for (size_t mode = 0; mode < tensor->indices.size(); ++mode)
        text += " " + std::to_string(tensor->indices[mode]) + ":" +
                std::to_string(tensor->extents[mode]) + "/" + std::to_string(tensor->strides[mode]);
      text += " )";
    }
    return text;
  }
};

void expectSame(const Tensor &expected, const Tensor &found, double tolerance,
                const std::string &text) {
  for (int64_t place = 0; place < expected.count(); ++place) {
    Number a = expected.get(place), b = found.get(place);
    ASSERT_LE(std::abs(a - b), tolerance * (1 + std::abs(a))) << "place " << place << " of" << text;
  }
}

double toleranceOf(TAPP_datatype type) {
  return type == TAPP_BF16 ? 8e-3 : type == TAPP_F16 ? 1e-3 : 1e-5;
}

void check(Case &given, bool inPlace = false) {
  const std::string text = given.text();
  Tensor expected = given.expected();
  TAPP_tensor_product plan = 0;
  ASSERT_EQ(given.create(plan), 0) << text;
  for (int round = 0; round < 2; ++round) {
    Case copy = given;
    TAPP_error error = inPlace ? copy.execute(plan, copy.D.data(), copy.D.data())
                               : copy.execute(plan, copy.C.data(), copy.D.data());
    char words[200];
    TAPP_explain_error(error, sizeof words, words);
    ASSERT_EQ(error, 0) << words << text;
    expectSame(expected, copy.D, toleranceOf(given.D.type), text);
  }
  EXPECT_EQ(TAPP_destroy_tensor_product(plan), 0);
}

// Draws products of each kind of index.
class Draw {
public:
  explicit Draw(unsigned seed) : random(seed) {}

  Case product() {
    Case made;
    std::map<int64_t, int64_t> extents;
    const bool empty = below(12) == 0;
    for (int64_t index = 1, count = int64_t(below(6)); index <= count; ++index) {
      extents[index] = int64_t(empty ? below(3) : 1 + below(4));
      unsigned roles = 1 + below(7); // of A, B and D
      if (roles == 4)
        roles = 7;
      if (roles & 1)
        add(made.A, index, below(8) == 0 ? 2 : 1);
      if (roles & 2)
        add(made.B, index, below(8) == 0 ? 2 : 1);
      if (roles & 4)
        add(made.D, index, below(12) == 0 ? 2 : 1);
    }
    const TAPP_datatype mixed = TAPP_datatype(below(6));
    for (Tensor *tensor : made.all()) {
      tensor->type = below(3) ? mixed : TAPP_datatype(below(6));
      tensor->op = below(4) ? TAPP_IDENTITY : TAPP_CONJUGATE;
      std::shuffle(tensor->indices.begin(), tensor->indices.end(), random);
    }
    made.C.indices = made.D.indices;
    for (Tensor *tensor : made.all()) {
      for (int64_t index : tensor->indices)
        tensor->extents.push_back(extents[index]);
      lay(*tensor, /*reads=*/tensor != &made.D);
    }
    const bool complex = made.D.type == TAPP_C32 || made.D.type == TAPP_C64;
    made.alpha = Number(below(3) ? 1 : 0.5, complex && below(2) ? -1 : 0);
    made.beta = Number(below(2) ? 0 : 2, complex && below(2) ? 0.5 : 0);
    if (below(4) == 0)
      made.precision = TAPP_F64F64_ACCUM_F64;
    return made;
  }

  unsigned below(unsigned count) { return unsigned(random() % count); }

private:
  void add(Tensor &tensor, int64_t index, int times) {
    tensor.indices.insert(tensor.indices.end(), size_t(times), index);
  }
  // Strides of modes in any order, some backwards, with gaps; those that are only read may be 0.
  void lay(Tensor &tensor, bool reads) {
    const size_t modes = tensor.indices.size();
    std::vector<size_t> order(modes);
    for (size_t mode = 0; mode < modes; ++mode)
      order[mode] = mode;
    if (below(2))
      std::shuffle(order.begin(), order.end(), random);
    tensor.strides.assign(modes, 1);
    int64_t stride = below(4) ? 1 : 1 + int64_t(below(3));
    const bool gaps = below(2), backwards = below(3) == 0;
    for (size_t mode : order) {
      tensor.strides[mode] = backwards && below(2) ? -stride : stride;
      stride *= std::max<int64_t>(tensor.extents[mode], 1) + (gaps ? below(3) : 0);
      if (gaps && below(6) == 0)
        ++stride; // is no multiple of those before
      if (reads && below(15) == 0)
        tensor.strides[mode] = 0;
    }
    tensor.allocate(random);
  }

  std::mt19937 random;
};

Tensor matrix(TAPP_datatype type, int64_t i, int64_t j, int64_t rows, int64_t columns,
              int64_t ld = 0) {
  std::mt19937 random(unsigned(i + 3 * j));
  Tensor made{.type = type, .indices = {i, j}, .extents = {rows, columns}};
  made.strides = {ld ? ld : columns, 1};
  made.allocate(random);
  return made;
}

Case matrixProduct(TAPP_datatype type, int64_t size) {
  return {.A = matrix(type, 1, 3, size, size),
          .B = matrix(type, 3, 2, size, size),
          .C = matrix(type, 1, 2, size, size),
          .D = matrix(type, 1, 2, size, size)};
}

TEST(Tapp, RandomProducts) {
  const char *seed = getenv("STRATA_TEST_SEED");
  Draw draw(seed ? unsigned(atoi(seed)) : 1);
  for (int number = 0; number < 60 && !testing::Test::HasFatalFailure(); ++number) {
    SCOPED_TRACE(number);
    Case drawn = draw.product();
    check(drawn);
  }
}

TEST(Tapp, EveryTypeWithEveryOther) {
  for (TAPP_datatype type = TAPP_F32; type <= TAPP_BF16; ++type)
    for (TAPP_datatype other = TAPP_F32; other <= TAPP_BF16; ++other) {
      Case given = matrixProduct(type, 3);
      given.B = matrix(other, 3, 2, 3, 3);
      given.beta = 0.5;
      check(given);
    }
}

TEST(Tapp, CIsD) {
  Case given = matrixProduct(TAPP_F64, 5);
  given.C = given.D;
  given.beta = -2;
  check(given, /*inPlace=*/true);
  given.C.strides = {1, 5}; // the transpose of what is overwritten
  check(given, /*inPlace=*/true);
}

TEST(Tapp, DIsA) {
  Case given = matrixProduct(TAPP_F64, 4);
  TAPP_tensor_product plan = 0;
  ASSERT_EQ(given.create(plan), 0);
  Tensor memory = given.A, expected = given.expected();
  double one = 1, zero = 0;
  EXPECT_EQ(TAPP_execute_product(plan, 0, nullptr, &one, memory.data(), given.B.data(), &zero,
                                 nullptr, memory.data()),
            0);
  expectSame(expected, memory, 1e-12, "A = A * B");
  TAPP_destroy_tensor_product(plan);
}

// Blocks, and operands and results of which only a part is the tensor's.
TEST(Tapp, LargeParts) {
  Case given{.A = matrix(TAPP_F64, 1, 3, 130, 70, 75),
             .B = matrix(TAPP_F64, 3, 2, 70, 90, 128),
             .C = matrix(TAPP_F64, 1, 2, 130, 90, 91),
             .D = matrix(TAPP_F64, 1, 2, 130, 90, 96)};
  given.beta = 0.25;
  check(given);
  given.beta = 0;
  check(given);
}

// An operand may end where memory ends, though its rows lie further apart than they are long.
TEST(Tapp, ReadsNothingBehindAnOperand) {
  const int64_t page = sysconf(_SC_PAGESIZE), rows = 64, columns = 60, ld = 64;
  const int64_t bytes = (rows * ld * 8 + page - 1) / page * page;
  char *area = static_cast<char *>(mmap(nullptr, size_t(bytes + page), PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(area, MAP_FAILED);
  ASSERT_EQ(mprotect(area + bytes, size_t(page), PROT_NONE), 0);
  Case given{.A = matrix(TAPP_F64, 1, 3, rows, columns, ld),
             .B = matrix(TAPP_F64, 3, 2, columns, columns, ld),
             .C = matrix(TAPP_F64, 1, 2, rows, columns),
             .D = matrix(TAPP_F64, 1, 2, rows, columns)};
  Tensor expected = given.expected();
  for (Tensor *operand : {&given.A, &given.B}) {
    TAPP_tensor_product plan = 0;
    ASSERT_EQ(given.create(plan), 0);
    char *end = area + bytes - operand->memory.size();
    std::copy(operand->memory.begin(), operand->memory.end(), end);
    double one = 1, zero = 0;
    const void *a = operand == &given.A ? end : given.A.data();
    const void *b = operand == &given.B ? end : given.B.data();
    EXPECT_EQ(TAPP_execute_product(plan, 0, nullptr, &one, a, b, &zero, nullptr, given.D.data()),
              0);
    expectSame(expected, given.D, 1e-12, "at the end of memory");
    TAPP_destroy_tensor_product(plan);
  }
  munmap(area, size_t(bytes + page));
}

TEST(Tapp, ThreadsShareAProduct) {
  Case given = matrixProduct(TAPP_C32, 12);
  Tensor expected = given.expected();
  TAPP_tensor_product plan = 0;
  ASSERT_EQ(given.create(plan), 0);
  std::vector<Case> own(4, given);
  std::vector<std::thread> threads;
  for (Case &one : own)
    threads.emplace_back([&one, plan] {
      for (int round = 0; round < 50; ++round)
        EXPECT_EQ(one.execute(plan, one.C.data(), one.D.data()), 0);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (Case &one : own)
    expectSame(expected, one.D, 1e-5, "threads");
  TAPP_destroy_tensor_product(plan);
}

TEST(Tapp, Batches) {
  Case first = matrixProduct(TAPP_F32, 3), second = first;
  std::mt19937 random(7);
  second.A.allocate(random);
  first.beta = second.beta = 3;
  TAPP_tensor_product plan = 0;
  ASSERT_EQ(first.create(plan), 0);
  float alpha = 1, beta = 3;
  const void *a[] = {first.A.data(), second.A.data()}, *b[] = {first.B.data(), second.B.data()};
  const void *c[] = {first.C.data(), second.C.data()};
  void *d[] = {first.D.data(), second.D.data()};
  Tensor expected[] = {first.expected(), second.expected()};
  EXPECT_EQ(TAPP_execute_batched_product(plan, 0, nullptr, 2, &alpha, a, b, &beta, c, d), 0);
  expectSame(expected[0], first.D, 1e-5, "the first");
  expectSame(expected[1], second.D, 1e-5, "the second");
  TAPP_destroy_tensor_product(plan);
}

// Returns the error of a product, which its execution must return as well.
TAPP_error errorOf(Case given) {
  TAPP_tensor_product plan = 0;
  TAPP_error error = given.create(plan);
  EXPECT_EQ(given.execute(plan, given.C.data(), given.D.data()), error);
  TAPP_destroy_tensor_product(plan);
  return error;
}

TEST(Tapp, Errors) {
  const Case good = matrixProduct(TAPP_F64, 3);
  auto with = [&](auto change) {
    Case bad = good;
    change(bad);
    return errorOf(bad);
  };
  EXPECT_EQ(with([](Case &bad) {}), 0);
  EXPECT_EQ(with([](Case &bad) { bad.A.extents[1] = 2; }), 1);
  EXPECT_EQ(with([](Case &bad) { bad.A.extents[0] = 2; }), 2);
  EXPECT_EQ(with([](Case &bad) { bad.B.extents[1] = 2; }), 3);
  EXPECT_EQ(with([](Case &bad) { bad.D.indices[0] = bad.C.indices[0] = 9; }), 4);
  EXPECT_EQ(with([](Case &bad) { bad.C.indices = bad.C.extents = bad.C.strides = {1}; }), 5);
  EXPECT_EQ(with([](Case &bad) { std::swap(bad.C.indices[0], bad.C.indices[1]); }), 6);
  EXPECT_EQ(with([](Case &bad) { bad.C.extents[1] = 2; }), 7);
  EXPECT_EQ(with([](Case &bad) { bad.D.strides = {2, 1}; }), 8);
  EXPECT_EQ(with([](Case &bad) { bad.D.strides = {0, 1}; }), 8);
  EXPECT_EQ(with([](Case &bad) { bad.A.indices = {1, 1}, bad.A.extents = {3, 2}; }), 9);
  EXPECT_EQ(with([](Case &bad) { bad.precision = 99; }), 17);
  EXPECT_EQ(with([](Case &bad) { bad.B.op = 5; }), 18);

  Case huge = good; // more elements than there are numbers, in no memory
  for (Tensor *tensor : {&huge.A, &huge.B})
    tensor->strides = {0, 0}, tensor->extents = {int64_t(1) << 40, int64_t(1) << 40};
  huge.A.indices = huge.D.indices = huge.C.indices = {1, 2};
  huge.D.extents = huge.C.extents = huge.A.extents;
  huge.B.indices = {1, 2}, huge.D.strides = {int64_t(1) << 40, 1};
  TAPP_tensor_product plan = 0;
  huge.A.strides = {int64_t(1) << 40, 1};
  EXPECT_EQ(huge.create(plan), 21);
  TAPP_destroy_tensor_product(plan);

  TAPP_tensor_info info = 0;
  int64_t negative[] = {-1}, one[] = {1};
  EXPECT_EQ(TAPP_create_tensor_info(&info, TAPP_F32, -1, one, one), 13);
  EXPECT_EQ(TAPP_create_tensor_info(&info, TAPP_F32, 1, negative, one), 14);
  EXPECT_EQ(TAPP_create_tensor_info(&info, TAPP_F32, 1, nullptr, one), 15);
  EXPECT_EQ(TAPP_create_tensor_info(&info, 6, 1, one, one), 16);
}

TEST(Tapp, MissingMemory) {
  Case given = matrixProduct(TAPP_F64, 2);
  TAPP_tensor_product plan = 0;
  ASSERT_EQ(given.create(plan), 0);
  double one = 1, zero = 0;
  auto run = [&](const void *alpha, const void *a, const void *beta, void *d) {
    return TAPP_execute_product(plan, 0, nullptr, alpha, a, given.B.data(), beta, nullptr, d);
  };
  EXPECT_EQ(run(&one, given.A.data(), &zero, given.D.data()), 0);
  EXPECT_EQ(run(&one, given.A.data(), &one, given.D.data()), 12);
  EXPECT_EQ(run(nullptr, given.A.data(), &zero, given.D.data()), 15);
  EXPECT_EQ(run(&one, nullptr, &zero, given.D.data()), 15);
  EXPECT_EQ(run(&one, given.A.data(), &zero, nullptr), 15);
  TAPP_destroy_tensor_product(plan);
}

TEST(Tapp, ErrorsInWords) {
  EXPECT_TRUE(TAPP_check_success(0));
  EXPECT_FALSE(TAPP_check_success(8));
  const std::string text = "two elements of D share their memory";
  EXPECT_EQ(TAPP_explain_error(8, 0, nullptr), text.size());
  char cut[5] = "....";
  EXPECT_EQ(TAPP_explain_error(8, sizeof cut, cut), 4u);
  EXPECT_STREQ(cut, "two ");
  char whole[100];
  EXPECT_EQ(TAPP_explain_error(8, sizeof whole, whole), text.size());
  EXPECT_EQ(whole, text);
  EXPECT_EQ(TAPP_explain_error(-5, sizeof whole, whole), 22u);
}

TEST(Tapp, InfosAreDescriptions) {
  int64_t extents[] = {2, 3}, strides[] = {3, 1}, read[3] = {};
  TAPP_tensor_info info = 0;
  ASSERT_EQ(TAPP_create_tensor_info(&info, TAPP_F32, 2, extents, strides), 0);
  EXPECT_EQ(TAPP_get_nmodes(info), 2);
  EXPECT_EQ(TAPP_set_nmodes(info, 3), 0);
  TAPP_get_extents(info, read);
  EXPECT_EQ(std::vector(read, read + 3), (std::vector<int64_t>{2, 3, 1}));
  int64_t others[] = {4, 5, 6};
  EXPECT_EQ(TAPP_set_extents(info, others), 0);
  EXPECT_EQ(TAPP_set_strides(info, others), 0);
  TAPP_get_strides(info, read);
  EXPECT_EQ(std::vector(read, read + 3), (std::vector<int64_t>{4, 5, 6}));
  others[1] = -1;
  EXPECT_EQ(TAPP_set_extents(info, others), 14);
  EXPECT_EQ(TAPP_set_nmodes(info, -1), 13);
  EXPECT_EQ(TAPP_destroy_tensor_info(info), 0);
}

TEST(Tapp, Attributes) {
  TAPP_handle handle = 0;
  TAPP_executor executor = 0;
  ASSERT_EQ(TAPP_create_handle(&handle), 0);
  ASSERT_EQ(TAPP_create_executor(&executor), 0);
  int value = 0;
  void *found = nullptr;
  EXPECT_EQ(TAPP_attr_get(handle, 7, &found), 20);
  EXPECT_EQ(TAPP_attr_set(handle, 7, &value), 0);
  EXPECT_EQ(TAPP_attr_get(handle, 7, &found), 0);
  EXPECT_EQ(found, &value);
  EXPECT_EQ(TAPP_attr_get(executor, 7, &found), 20);
  EXPECT_EQ(TAPP_attr_clear(handle, 7), 0);
  EXPECT_EQ(TAPP_attr_clear(handle, 7), 20);
  EXPECT_EQ(TAPP_destroy_handle(handle), 0);
  EXPECT_EQ(TAPP_destroy_handle(handle), 19);
  EXPECT_EQ(TAPP_attr_set(handle, 7, &value), 19);
  EXPECT_EQ(TAPP_destroy_executor(executor), 0);
}

} // namespace
