// Estimates memory from numbers of stored entries, as if they were spread evenly.
#include "strata/execution/Memory.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/Estimate.h"
#include "strata/execution/Work.h"
#include "strata/execution/Workspace.h"
#include "strata/lower/analysis/ContractionBuffers.h"
#include "strata/lower/analysis/IndexStatement.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

using namespace mlir;

namespace strata {
double placesOf(ArrayRef<int64_t> sizes) {
  double places = 1;
  for (int64_t size : sizes)
    places *= double(size);
  return places;
}

namespace {

// How many threads may run.
int64_t threadCount() {
  size_t allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::min<int64_t>(tbb::this_task_arena::max_concurrency(), int64_t(allowed));
}

// Rows that are gathered: those of the result before they are stored, with room for this share of
// their places, and those of inner sums; blocks of operands of dense contractions.
double workspaceOf(ta::ComputeOp op, RankedTensorType type, ArrayRef<int64_t> sizes, double share,
                   llvm::function_ref<int64_t(Value)> extentOf) {
  double element = double(strata_type_bytes(*runtimeType(type.getElementType())));
  IndexStatement statement(op);
  double bytes = contractionBufferBytes(op, threadCount(), extentOf);
  op.getBody().walk([&](ta::ReduceOp reduce) {
    llvm::SmallBitVector rows = statement.gatheredVariables(reduce);
    double row = rows.any() ? element : 0;
    for (int variable : rows.set_bits())
      row *= double(extentOf(statement.variables[variable].extent));
    bytes += row;
  });
  std::string why;
  auto plan = chooseLoopOrder(statement, llvm::SmallPtrSet<Operation *, 1>(), why);
  if (!plan || plan->assembly != Assembly::Gathered)
    return bytes;
  return bytes + share * workspaceBytes(ta::formatOf(type), sizes, element);
}

} // namespace

MemoryNeed estimateMemory(ta::ComputeOp op, RankedTensorType result, ArrayRef<int64_t> sizes,
                          bool hashed, llvm::function_ref<const TensorValue &(Value)> tensorOf,
                          llvm::function_ref<int64_t(Value)> extentOf) {
  auto storedOf = [&](Value operand) { return occupancyOf(tensorOf(operand)); };
  double share =
      ta::formatOf(result).isFull() ? 1 : WorkEstimate(storedOf, extentOf).density(op.getYielded());
  double entries = std::min(share * placesOf(sizes), 0x1p62);
  return {storageBytes(result, sizes, int64_t(entries)),
          workspaceOf(op, result, sizes, hashed ? share : 1, extentOf)};
}

MemoryNeed estimatePacking(RankedTensorType type, ArrayRef<int64_t> sizes, int64_t entries,
                           bool force) {
  double coordinates =
      double(type.getRank()) * strata_type_bytes(runtime::coordinateTypeFor(sizes));
  double entry = coordinates + double(strata_type_bytes(*runtimeType(type.getElementType())));
  return {packedBytes(type, sizes, entries, force), double(entries) * entry};
}

std::string bytesInWords(double bytes) {
  const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  unsigned unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit)
    bytes /= 1024;
  return unit == 0 ? llvm::formatv("{0:F0} bytes", bytes).str()
                   : llvm::formatv("{0:F1} {1}", bytes, units[unit]).str();
}

std::optional<int64_t> parseBytes(StringRef text) {
  StringRef number = text.trim();
  double unit = 1;
  for (const char *letter : {"K", "M", "G", "T"}) {
    unit *= 1024;
    for (const char *rest : {"", "B", "iB"})
      if (number.ends_with_insensitive((Twine(letter) + rest).str())) {
        double count;
        if (!number.drop_back(1 + StringRef(rest).size()).trim().getAsDouble(count) && count > 0 &&
            count * unit < 0x1p62)
          return std::max<int64_t>(int64_t(count * unit), 1);
      }
  }
  int64_t bytes;
  if (!number.getAsInteger(10, bytes) && bytes > 0)
    return bytes;
  return std::nullopt;
}

std::string countInWords(double count) {
  if (count < 1e5)
    return llvm::formatv("{0:F0}", count).str();
  if (count < 1e12) {
    bool billions = count >= 1e9;
    return llvm::formatv("{0} {1}", llvm::format("%.4g", count * (billions ? 1e-9 : 1e-6)),
                         billions ? "billion" : "million")
        .str();
  }
  auto power = int(std::floor(std::log10(count) + 1e-9));
  std::string digits = llvm::formatv("{0:F1}", count / std::pow(10, power)).str();
  return (digits == "1.0" ? "" : digits + " x ") + "10^" + std::to_string(power);
}

void *LimitedMemory::reallocate(void *state, void *block, size_t oldBytes, size_t newBytes) {
  auto &self = *static_cast<LimitedMemory *>(state);
  strata_allocator memory = strata_default_allocator();
  auto change = static_cast<int64_t>(newBytes) - static_cast<int64_t>(oldBytes);
  if (self.used.fetch_add(change) + change > self.limit && change > 0) {
    self.used -= change;
    self.hasRefused = true;
    return nullptr;
  }
  void *grown = memory.reallocate(memory.state, block, oldBytes, newBytes);
  if (!grown && newBytes != 0)
    self.used -= change;
  return grown;
}

} // namespace strata
