// How programs that are compiled ahead convert: by kernels that are right for every tensor.
#include "generator/Workbench.h"
#include "strata/conversion/ConversionRoutes.h"
#include "strata/dialect/ta/Shorthands.h"

namespace {

using namespace strata;
using namespace strata::test;

mlir::RankedTensorType typeOf(llvm::StringRef name) {
  Workbench &bench = Workbench::instance();
  std::string why;
  ta::FormatAttr format = ta::shorthand(&bench.context, name, 2, why);
  EXPECT_TRUE(format) << why;
  return ta::withFormat(bench.type({"Dense", ""}, 2, STRATA_F64), format.withOpenWidths(64, 32));
}

enum class Way { List, Kernel, CountedKernel, Rows, CountedRows };

Way wayOf(llvm::StringRef from, llvm::StringRef to) {
  mlir::RankedTensorType source = typeOf(from), target = typeOf(to);
  if (std::optional<KernelAhead> direct = kernelAhead(source, target))
    return direct->counting ? Way::CountedKernel : Way::Kernel;
  mlir::RankedTensorType open = rowsAhead(target);
  if (!open)
    return Way::List;
  mlir::RankedTensorType rows = ta::withFormat(open, ta::formatOf(open).withOpenWidths(64, 32));
  std::optional<KernelAhead> second = kernelAhead(rows, target);
  if (!second || !kernelAhead(source, rows))
    return Way::List;
  return second->counting ? Way::CountedRows : Way::Rows;
}

TEST(CompiledConversion, takesKernelsThatDependOnNoSize) {
  EXPECT_EQ(wayOf("CSR", "CSC"), Way::Kernel);
  EXPECT_EQ(wayOf("COO", "CSR"), Way::Kernel);
  EXPECT_EQ(wayOf("CSR", "ELL"), Way::CountedKernel);
  EXPECT_EQ(wayOf("CSC", "BCSR"), Way::Rows);
  EXPECT_EQ(wayOf("CSC", "ELL"), Way::CountedRows);
}

TEST(CompiledConversion, listsWhatNeedsMoreThanThat) {
  EXPECT_EQ(wayOf("CSR", "DIA"), Way::List) << "how many diagonals there are";
  EXPECT_EQ(wayOf("CSR", "JDS"), Way::List) << "the order of the rows";
  EXPECT_EQ(wayOf("COO-Unordered", "CSR"), Way::List) << "entries that repeat anywhere";
}

// Rows have a place for each, which such formats lack: there may be very many.
TEST(CompiledConversion, takesNoRowsThatTheTargetLacks) {
  EXPECT_FALSE(rowsAhead(typeOf("DCSC")));
  EXPECT_FALSE(rowsAhead(typeOf("COO")));
  EXPECT_TRUE(rowsAhead(typeOf("BCSR")));
}

} // namespace
