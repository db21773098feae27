// Makes matrices of Tpetra of this rank's rows, and multiplies vectors by them, for
// benchmark/ranks.py.
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>

#include <cstdint>
#include <memory>

namespace {

using Map = Tpetra::Map<>;
using Matrix = Tpetra::CrsMatrix<double>;
using Vectors = Tpetra::MultiVector<double>;

struct Product {
  Teuchos::RCP<Matrix> a;
  std::unique_ptr<Vectors> x, y;
};

} // namespace

extern "C" {

void *tpetra_make(int64_t n, int64_t first, int64_t rows, const int32_t *pos, const int32_t *crd,
                  const double *values, int32_t vectors) {
  static int count = 0;
  static char *none = nullptr, **arguments = &none;
  static Tpetra::ScopeGuard guard(&count, &arguments);
  auto comm = Tpetra::getDefaultComm();
  auto map = Teuchos::rcp(new Map(Tpetra::global_size_t(n), size_t(rows), 0, comm));
  Teuchos::ArrayRCP<size_t> counts(static_cast<size_t>(rows));
  for (int64_t row = 0; row < rows; ++row)
    counts[row] = size_t(pos[row + 1] - pos[row]);
  auto made = new Product;
  made->a = Teuchos::rcp(new Matrix(map, counts(), Tpetra::StaticProfile));
  std::vector<Map::global_ordinal_type> columns;
  for (int64_t row = 0; row < rows; ++row) {
    columns.assign(crd + pos[row], crd + pos[row + 1]);
    made->a->insertGlobalValues(
        first + row, Teuchos::ArrayView<const Map::global_ordinal_type>(columns),
        Teuchos::ArrayView<const double>(values + pos[row], pos[row + 1] - pos[row]));
  }
  made->a->fillComplete(map, map);
  made->x = std::make_unique<Vectors>(map, size_t(vectors));
  made->y = std::make_unique<Vectors>(map, size_t(vectors));
  made->x->putScalar(1.0);
  return made;
}

void tpetra_apply(void *product) {
  auto *made = static_cast<Product *>(product);
  made->a->apply(*made->x, *made->y);
}

void tpetra_release(void *product) { delete static_cast<Product *>(product); }
}
