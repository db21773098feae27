// Finds the dimensions of matrices in a contraction, and calls a library for each matrix of a
// batch.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Gemm.h"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <limits>
#include <optional>
#include <vector>

using namespace strata::runtime;

namespace {

// CBLAS's constants.
constexpr int rowMajor = 101, asItIs = 111, transposed = 112;

enum Tensor { left, right, result };

// A scalar is given by its value where it is real, else by where it lies; then the type of elements
// is not said either.
template <typename Index, typename Scalar, typename Element>
using Gemm = void (*)(int order, int transA, int transB, Index m, Index n, Index k, Scalar alpha,
                      const Element *a, Index lda, const Element *b, Index ldb, Scalar beta,
                      Element *c, Index ldc);

// The functions of a library: of floats, doubles, complex floats and complex doubles.
struct Library {
  void *functions[4] = {};
  bool isWide = false; ///< its indices have 64 bits
};
Library library;
std::atomic<int64_t> computed, declined;

std::optional<Library> functionsIn(void *handle) {
  for (const char *prefix : {"cblas_", "scipy_cblas_"})
    for (const char *suffix : {"", "64_", "_64", "_64_"}) {
      Library found;
      bool some = false;
      for (int type = 0; type < 4; ++type) {
        std::string name = std::string(prefix) + "sdcz"[type] + "gemm" + suffix;
        found.functions[type] = dlsym(handle, name.c_str());
        some |= found.functions[type] != nullptr;
      }
      found.isWide = *suffix != 0;
      if (some)
        return found;
    }
  return std::nullopt;
}

// A dimension of matrices: several labels that lie one behind the other in all tensors.
struct Dimension {
  int64_t size = 1, strides[3] = {0, 0, 0};
};

struct Label {
  int64_t role, size, strides[3];
};

// From the innermost label out: each goes on where those inside of it end. Labels of one value do
// not matter.
std::optional<Dimension> dimensionOf(std::vector<Label> labels, int64_t role) {
  std::erase_if(labels, [&](const Label &label) { return label.role != role || label.size == 1; });
  std::sort(labels.begin(), labels.end(), [](const Label &x, const Label &y) {
    return std::lexicographical_compare(x.strides, x.strides + 3, y.strides, y.strides + 3);
  });
  Dimension dimension;
  for (const Label &label : labels) {
    if (dimension.size == 1)
      std::copy(label.strides, label.strides + 3, dimension.strides);
    else
      for (int tensor : {left, right, result})
        if (label.strides[tensor] != dimension.strides[tensor] * dimension.size)
          return std::nullopt;
    dimension.size *= label.size;
  }
  return dimension;
}

// How a tensor's matrix is stored: by rows, or by columns, and how far apart these are.
struct Layout {
  bool byRows;
  int64_t leading;
};

std::optional<Layout> layoutOf(Tensor tensor, const Dimension &down, const Dimension &across) {
  auto fits = [&](const Dimension &inner, const Dimension &outer) {
    return (inner.size == 1 || inner.strides[tensor] == 1) &&
           (outer.size == 1 || outer.strides[tensor] >= inner.size);
  };
  auto leading = [&](const Dimension &inner, const Dimension &outer) {
    return std::max({outer.size == 1 ? 0 : outer.strides[tensor], inner.size, int64_t(1)});
  };
  if (fits(across, down))
    return Layout{true, leading(across, down)};
  if (fits(down, across))
    return Layout{false, leading(down, across)};
  return std::nullopt;
}

struct Product {
  int64_t m, n, k;
  Layout a, b, c;
};

std::optional<Product> productOf(const std::vector<Label> &labels) {
  std::optional<Dimension> rows = dimensionOf(labels, STRATA_LABEL_ROW),
                           columns = dimensionOf(labels, STRATA_LABEL_COLUMN),
                           summed = dimensionOf(labels, STRATA_LABEL_SUMMED);
  if (!rows || !columns || !summed)
    return std::nullopt;
  std::optional<Layout> a = layoutOf(left, *rows, *summed), b = layoutOf(right, *summed, *columns),
                        c = layoutOf(result, *rows, *columns);
  if (!a || !b || !c || !c->byRows)
    return std::nullopt;
  return Product{rows->size, columns->size, summed->size, *a, *b, *c};
}

bool fitsInt(const Product &product) {
  return std::max({product.m, product.n, product.k, product.a.leading, product.b.leading,
                   product.c.leading}) <= std::numeric_limits<int>::max();
}

template <typename Index, typename Scalar, typename Element>
void call(void *function, const Product &p, Scalar alpha, const Element *a, const Element *b,
          Scalar beta, Element *c) {
  reinterpret_cast<Gemm<Index, Scalar, Element>>(function)(
      rowMajor, p.a.byRows ? asItIs : transposed, p.b.byRows ? asItIs : transposed, Index(p.m),
      Index(p.n), Index(p.k), alpha, a, Index(p.a.leading), b, Index(p.b.leading), beta, c,
      Index(p.c.leading));
}

template <typename Element, typename Scalar>
void callWith(void *function, const Product &product, Scalar alpha, const void *left,
              const void *right, Scalar beta, void *result) {
  auto *a = static_cast<const Element *>(left), *b = static_cast<const Element *>(right);
  auto *c = static_cast<Element *>(result);
  if (library.isWide)
    call<int64_t>(function, product, alpha, a, b, beta, c);
  else
    call<int>(function, product, alpha, a, b, beta, c);
}

struct Numbers {
  int type; ///< of Library::functions
  int64_t bytes;
};

std::optional<Numbers> numbersOf(int64_t type) {
  switch (type) {
  case STRATA_F32:
    return Numbers{0, 4};
  case STRATA_F64:
    return Numbers{1, 8};
  case STRATA_C64:
    return Numbers{2, 8};
  case STRATA_C128:
    return Numbers{3, 16};
  default:
    return std::nullopt;
  }
}

struct Multiplication {
  Product product;
  Numbers numbers;
  double alpha[2];
  bool overwrites;

  void run(const char *a, const char *b, char *c) const {
    void *function = library.functions[numbers.type];
    double beta[2] = {overwrites ? 0.0 : 1.0, 0};
    const float small[2] = {float(alpha[0]), float(alpha[1])}, before[2] = {float(beta[0]), 0};
    switch (numbers.type) {
    case 0:
      return callWith<float>(function, product, small[0], a, b, before[0], c);
    case 1:
      return callWith<double>(function, product, alpha[0], a, b, beta[0], c);
    case 2:
      return callWith<void, const void *>(function, product, small, a, b, before, c);
    default:
      return callWith<void, const void *>(function, product, alpha, a, b, beta, c);
    }
  }

  // One product for each value of the batch's labels.
  void runAll(const std::vector<Label> &batch, size_t at, const char *a, const char *b,
              char *c) const {
    if (at == batch.size())
      return run(a, b, c);
    const Label &label = batch[at];
    for (int64_t value = 0; value < label.size; ++value) {
      auto offset = [&](Tensor tensor) { return value * label.strides[tensor] * numbers.bytes; };
      runAll(batch, at + 1, a + offset(left), b + offset(right), c + offset(result));
    }
  }
};

} // namespace

namespace strata::runtime {

Status useGemmLibrary(const std::string &file) {
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    return Error{Error::Library, "the library cannot be loaded: " + std::string(why ? why : file)};
  }
  std::optional<Library> found = functionsIn(handle);
  if (!found) {
    dlclose(handle);
    return Error{Error::Library, "'" + file + "' has no products of matrices as CBLAS has them",
                 "a library with cblas_dgemm, such as OpenBLAS, BLIS or MKL"};
  }
  library = *found;
  return Status();
}

GemmCounts gemmCounts() { return {computed, declined}; }

} // namespace strata::runtime

int64_t strata_kernel_gemm(strata_context *, const void *leftData, const void *rightData,
                           void *resultData, const int64_t *numbers, int64_t labelCount,
                           int64_t type, double real, double imaginary, int64_t overwrites) {
  const int64_t *begins = numbers, *next = numbers + 3;
  std::vector<Label> labels, batch;
  for (int64_t at = 0; at < labelCount; ++at, next += 5) {
    Label label{next[0], next[1], {next[2], next[3], next[4]}};
    (label.role == STRATA_LABEL_BATCHED ? batch : labels).push_back(label);
  }
  std::optional<Numbers> kind = numbersOf(type);
  std::optional<Product> product = productOf(labels);
  if (!kind || !product || !library.functions[kind->type] ||
      (!library.isWide && !fitsInt(*product))) {
    ++declined;
    return 0;
  }
  Multiplication multiplication{*product, *kind, {real, imaginary}, overwrites != 0};
  auto place = [&](const void *data, Tensor tensor) {
    return static_cast<const char *>(data) + begins[tensor] * kind->bytes;
  };
  multiplication.runAll(batch, 0, place(leftData, left), place(rightData, right),
                        static_cast<char *>(resultData) + begins[result] * kind->bytes);
  ++computed;
  return 1;
}
