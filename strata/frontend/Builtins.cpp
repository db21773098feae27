// The table of built-in functions.
#include "strata/frontend/Builtins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace strata::frontend {

using Kind = Builtin::Kind;

static constexpr Builtin table[] = {
    {"print", Kind::Print, 1, 99, "print(A), print(\"norm\", n) or print(A, storage)"},
    {"write", Kind::Write, 2, 2, "write(A, \"a.mtx\")"},
    {"read", Kind::Read, 0, 2, "read(\"a.mtx\")"},
    {"random", Kind::Random, 0, 2, "random()"},
    {"stencil", Kind::Stencil, 1, 1, "stencil(33)"},
    {"solve", Kind::LinearAlgebra, 2, 2, "x[i] = solve(A, b)"},
    {"inverse", Kind::LinearAlgebra, 1, 1, "B[i, j] = inverse(A)"},
    {"pinv", Kind::LinearAlgebra, 1, 1, "B[i, j] = pinv(A)"},
    {"orthonormal", Kind::LinearAlgebra, 1, 1, "Q[i, j] = orthonormal(A)"},
    {"singular_vectors", Kind::LinearAlgebra, 1, 1, "U[i, r] = singular_vectors(A)"},
    {"singular_values", Kind::LinearAlgebra, 1, 1, "s[r] = singular_values(A)"},
    {"concat", Kind::Concatenation, 2, 99, "C[n, j] = concat(n, A, B)"},
    {"SUM", Kind::Sum, 1, 1, "SUM(A[i, j])"},
    {"transpose", Kind::Transpose, 2, 2, "transpose(A[i, j], {j, i})"},
    {"explicit", Kind::Explicit, 1, 1, "explicit(D[i, j])"},
    {"size", Kind::Size, 2, 2, "size(A, i)"},
    {"nnz", Kind::StoredCount, 1, 1, "nnz(A)"},
    {"getTime", Kind::Time, 0, 0, "getTime()"},
    {"printElapsedTime", Kind::PrintElapsed, 2, 2, "printElapsedTime(t0, t1)"},
    // COMET's other spellings
    {"space_read", Kind::Read, 0, 2, "space_read(\"a.mtx\")"},
    {"comet_read", Kind::Read, 0, 2, "comet_read(0)"},
    {"read_from_file", Kind::Read, 0, 2, "read_from_file(0)"},
    {"get_time", Kind::Time, 0, 0, "get_time()"},
    {"print_elapsed_time", Kind::PrintElapsed, 2, 2, "print_elapsed_time(t0, t1)"},
    // Later
    {"tensor_reorder", Kind::Unsupported, 0, 9, ""},
    {"read_lowerTri_from_file", Kind::Unsupported, 0, 9,
     "comet_read(0, 2) for what lies strictly below the diagonal, comet_read(0, 3) with it"},
    {"read_upperTri_from_file", Kind::Unsupported, 0, 9,
     "comet_read(0, 4) for what lies strictly above the diagonal, comet_read(0, 5) with it"},
};

const Builtin *findBuiltin(llvm::StringRef name) {
  const Builtin *found = llvm::find_if(table, [&](const Builtin &b) { return b.name == name; });
  return found == std::end(table) ? nullptr : found;
}

llvm::ArrayRef<llvm::StringRef> builtinNames() {
  static const llvm::SmallVector<llvm::StringRef> names = [] {
    llvm::SmallVector<llvm::StringRef> result;
    for (const Builtin &builtin : table)
      if (builtin.kind != Kind::Unsupported)
        result.push_back(builtin.name);
    return result;
  }();
  return names;
}

} // namespace strata::frontend
