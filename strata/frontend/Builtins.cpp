// The table of built-in functions.
#include "strata/frontend/Builtins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace strata::frontend {

using BuiltinKind = Builtin::Kind;

static constexpr Builtin builtinTable[] = {
    {"print", BuiltinKind::Print, 1, 99, "print(A), print(\"norm\", n) or print(A, storage)"},
    {"write", BuiltinKind::Write, 2, 2, "write(A, \"a.mtx\")"},
    {"read", BuiltinKind::Read, 0, 2, "read(\"a.mtx\")"},
    {"random", BuiltinKind::Random, 0, 2, "random()"},
    {"stencil", BuiltinKind::Stencil, 1, 1, "stencil(33)"},
    {"solve", BuiltinKind::LinearAlgebra, 2, 2, "x[i] = solve(A, b)"},
    {"inverse", BuiltinKind::LinearAlgebra, 1, 1, "B[i, j] = inverse(A)"},
    {"pinv", BuiltinKind::LinearAlgebra, 1, 1, "B[i, j] = pinv(A)"},
    {"orthonormal", BuiltinKind::LinearAlgebra, 1, 1, "Q[i, j] = orthonormal(A)"},
    {"singular_vectors", BuiltinKind::LinearAlgebra, 1, 1, "U[i, r] = singular_vectors(A)"},
    {"singular_values", BuiltinKind::LinearAlgebra, 1, 1, "s[r] = singular_values(A)"},
    {"concat", BuiltinKind::Concatenation, 2, 99, "C[n, j] = concat(n, A, B)"},
    {"tensor_reorder", BuiltinKind::Reordering, 1, 1, "B[i, j] = tensor_reorder(A)"},
    {"lexi_order", BuiltinKind::Reordering, 2, 2, "p[i] = lexi_order(A, i)"},
    {"SUM", BuiltinKind::Sum, 1, 1, "SUM(A[i, j])"},
    {"transpose", BuiltinKind::Transpose, 2, 2, "transpose(A[i, j], {j, i})"},
    {"explicit", BuiltinKind::Explicit, 1, 1, "explicit(D[i, j])"},
    {"size", BuiltinKind::Size, 2, 2, "size(A, i)"},
    {"nnz", BuiltinKind::StoredCount, 1, 1, "nnz(A)"},
    {"getTime", BuiltinKind::Time, 0, 0, "getTime()"},
    {"printElapsedTime", BuiltinKind::PrintElapsed, 2, 2, "printElapsedTime(t0, t1)"},
    // COMET's other spellings
    {"space_read", BuiltinKind::Read, 0, 2, "space_read(\"a.mtx\")"},
    {"comet_read", BuiltinKind::Read, 0, 2, "comet_read(0)"},
    {"read_from_file", BuiltinKind::Read, 0, 2, "read_from_file(0)"},
    {"get_time", BuiltinKind::Time, 0, 0, "get_time()"},
    {"print_elapsed_time", BuiltinKind::PrintElapsed, 2, 2, "print_elapsed_time(t0, t1)"},
    // Later
    {"read_lowerTri_from_file", BuiltinKind::Unsupported, 0, 9,
     "comet_read(0, 2) for what lies strictly below the diagonal, comet_read(0, 3) with it"},
    {"read_upperTri_from_file", BuiltinKind::Unsupported, 0, 9,
     "comet_read(0, 4) for what lies strictly above the diagonal, comet_read(0, 5) with it"},
};

const Builtin *findBuiltin(llvm::StringRef name) {
  const Builtin *found =
      llvm::find_if(builtinTable, [&](const Builtin &b) { return b.name == name; });
  return found == std::end(builtinTable) ? nullptr : found;
}

llvm::ArrayRef<llvm::StringRef> builtinNames() {
  static const llvm::SmallVector<llvm::StringRef> names = [] {
    llvm::SmallVector<llvm::StringRef> result;
    for (const Builtin &builtin : builtinTable)
      if (builtin.kind != BuiltinKind::Unsupported)
        result.push_back(builtin.name);
    return result;
  }();
  return names;
}

} // namespace strata::frontend
