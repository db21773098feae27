// strata-bench: measures Strata's kernels against Eigen's, and what reading and packing take.
#include "EigenProducts.h"
#include "Footprint.h"
#include "Problems.h"
#include "Products.h"
#include "Report.h"

#include "strata/conversion/Conversion.h"
#include "strata/conversion/Unpacking.h"
#include "strata/runtime/Allocator.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/runtime/io/TensorFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <tbb/global_control.h>

using llvm::StringRef;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::benchmark {

static constexpr const char *usage = R"(strata-bench products [OPTIONS] MATRIX...
    SpMV and SpMM in several formats against Eigen's, in turns.
strata-bench pack FILE FORMAT
    Reads and packs, and prints the memory that this took, as JSON.
strata-bench read FILE
    Reads into coordinates, and prints the seconds that this took, as JSON.
strata-bench convert FILE FROM TO
    Reads, packs into FROM, and prints the seconds that each conversion to TO took and the memory
    of one of them, as JSON.
strata-bench list FILE FORMAT
    Reads into coordinates, and prints the seconds that packing them into FORMAT and unpacking them
    again took each time, as JSON.
strata-bench make MATRIX FILE [--shuffled]
    Writes a matrix.

A MATRIX is a Matrix Market file, stencil:N (27 points, on a grid of N x N x N) or random:ROWS:K
(K entries in a row on average).

  --json=FILE        results also as lines of JSON
  --formats=F,F,...  (CSR,CSC,COO,DCSR)
  --width=K          columns of the dense matrix of SpMM (32); 0: no SpMM
  --rounds=N         at least so many rounds a contest (15)
  --seconds=S        at least so long a contest (1)
  --threads=N        threads that read and sort (all)
  --cache=FOLDER     where pack looks for compiled kernels, and keeps them
)";

struct Options {
  std::string json, cache;
  std::vector<std::string> formats{"CSR", "CSC", "COO", "DCSR"};
  int64_t width = 32, threads = 0;
  Effort effort;
  bool shuffle = false;
  std::vector<std::string> words;
};

//===------------------------------------------------------------------------------------------===//
// Products
//===------------------------------------------------------------------------------------------===//

// Both sum the products of a row in some order; the bound is that of the sum of magnitudes.
static bool agree(const Entries &matrix, const std::vector<double> &x, int64_t width,
                  const double *ours, const double *theirs) {
  std::vector<double> bound(static_cast<size_t>(matrix.rows * width), 0);
  for (int64_t at = 0; at < matrix.count; ++at)
    for (int64_t k = 0; k < width; ++k)
      bound[static_cast<size_t>(matrix.row[at] * width + k)] +=
          std::fabs(matrix.value[at] * x[static_cast<size_t>(matrix.column[at] * width + k)]);
  for (size_t at = 0; at < bound.size(); ++at)
    if (!(std::fabs(ours[at] - theirs[at]) <= 1e-12 * bound[at]))
      return false;
  return true;
}

// The matrix in one format against the layout of Eigen's that walks it in the same order.
static Status measureFormat(Workbench &bench, Report &report, const Options &options,
                            const std::string &name, const Coordinates &list,
                            const std::string &format) {
  Result<mlir::RankedTensorType> type = bench.tensorType(format);
  if (!type)
    return type.takeStatus();
  Result<Coordinates> copy = list.clone();
  if (!copy)
    return copy.takeStatus();
  Result<TensorValue> packed = pack(bench.compiler, std::move(*copy), *type);
  if (!packed)
    return packed.takeStatus();
  Entries entries{list.sizes()[0],
                  list.sizes()[1],
                  list.count(),
                  list.column(0).as<int32_t>(),
                  list.column(1).as<int32_t>(),
                  list.values().as<double>()};
  Major major = StringRef(format).ends_with("C") ? Major::Column : Major::Row;
  for (int64_t width : {int64_t(1), options.width}) {
    if (width == 0)
      continue;
    std::vector<double> x = randomValues(entries.columns * width);
    Result<Product> ours = Product::create(bench, *packed, x, width);
    if (!ours)
      return ours.takeStatus();
    EigenProduct theirs(entries, major, x, width);
    if (Status status = ours->run(); !status.ok())
      return status;
    theirs.run();
    if (!agree(entries, x, width, ours->result(), theirs.result()))
      return Error{name + " in " + format + ": the result differs from Eigen's"};
    Outcome outcome = compare(
        [&] {
          Status status = ours->run();
          assert(status.ok() && "a kernel that ran before");
        },
        [&] { theirs.run(); }, options.effort);
    report.product({name, entries.rows, entries.columns, entries.count,
                    width == 1 ? "SpMV" : "SpMM " + std::to_string(width), format,
                    major == Major::Row ? "Eigen row-major" : "Eigen col-major",
                    2.0 * double(entries.count) * double(width), outcome});
  }
  return Status();
}

static Status products(const Options &options) {
  std::string why;
  std::unique_ptr<Report> report = Report::create(options.json, why);
  if (!report)
    return Error{why};
  Workbench bench;
  for (const std::string &word : options.words) {
    Result<Coordinates> list = makeProblem(word);
    if (!list)
      return list.takeStatus();
    std::string name = llvm::sys::path::filename(word).str();
    for (const std::string &format : options.formats)
      if (Status status = measureFormat(bench, *report, options, name, *list, format); !status.ok())
        return status;
  }
  return Status();
}

//===------------------------------------------------------------------------------------------===//
// Files
//===------------------------------------------------------------------------------------------===//

static void print(llvm::json::Object object) {
  llvm::outs() << llvm::json::Value(std::move(object)) << "\n";
}

static Status packFile(const Options &options) {
  const std::string &file = options.words[0], &format = options.words[1];
  Workbench bench;
  if (!options.cache.empty()) {
    Result<KernelCache> cache = KernelCache::open(options.cache);
    if (!cache)
      return cache.takeStatus();
    bench.compiler.use(std::move(*cache));
  }
  int64_t before = residentBytes();
  FootprintWatch watch;
  Stopwatch clock;
  Result<runtime::TensorFileContent> content =
      runtime::readTensorFile(file, {.valueType = STRATA_F64});
  if (!content)
    return content.takeStatus();
  double readSeconds = clock.lap();
  Result<mlir::RankedTensorType> type = bench.tensorType(format, content->list.order());
  if (!type)
    return type.takeStatus();
  int64_t readPeak = watch.peak(), listBytes = content->list.bytes();
  PackTimes times;
  Result<TensorValue> packed = pack(bench.compiler, std::move(content->list), *type, &times);
  if (!packed)
    return packed.takeStatus();
  print(llvm::json::Object{{"kind", "pack"},
                           {"format", format},
                           {"before", before},
                           {"read_peak", readPeak},
                           {"pack_peak", watch.peak()},
                           {"after", residentBytes()},
                           {"list_bytes", listBytes},
                           {"packed_bytes", packed->storage->bytes()},
                           {"entries", packed->storedCount()},
                           {"read_seconds", readSeconds},
                           {"sort_seconds", times.sort},
                           {"fill_seconds", times.fill},
                           {"compile_seconds", times.compile}});
  return Status();
}

static Status convertFile(const Options &options) {
  Workbench bench;
  Result<mlir::RankedTensorType> from = bench.tensorType(options.words[1]);
  Result<mlir::RankedTensorType> to = bench.tensorType(options.words[2]);
  if (!from || !to)
    return from ? to.takeStatus() : from.takeStatus();
  Result<runtime::TensorFileContent> content =
      runtime::readTensorFile(options.words[0], {.valueType = STRATA_F64});
  if (!content)
    return content.takeStatus();
  int64_t listBytes = content->list.bytes();
  Result<TensorValue> packed = pack(bench.compiler, std::move(content->list), *from);
  if (!packed)
    return packed.takeStatus();
  // The first one compiles; its memory is measured with the second, which is not timed.
  llvm::json::Array seconds;
  int64_t before = 0, peak = 0, toBytes = 0;
  for (int round = -2; round < options.effort.rounds; ++round) {
    std::optional<FootprintWatch> watch;
    if (round < 0) {
      runtime::releaseSpareMemory();
      before = residentBytes();
      watch.emplace();
    }
    PackTimes times;
    Result<TensorValue> converted = convert(bench.compiler, *packed, *to, &times);
    if (!converted)
      return converted.takeStatus();
    if (watch)
      peak = watch->peak();
    toBytes = converted->bytes();
    if (round >= 0)
      seconds.push_back(times.total() - times.compile);
  }
  print(llvm::json::Object{{"kind", "convert"},
                           {"seconds", std::move(seconds)},
                           {"entries", packed->storedCount()},
                           {"list_bytes", listBytes},
                           {"from_bytes", packed->bytes()},
                           {"to_bytes", toBytes},
                           {"beside", peak - before},
                           {"stated", planConversion(*packed, *to).beside}});
  return Status();
}

// The first rounds compile.
static Status listFile(const Options &options) {
  Workbench bench;
  Result<runtime::TensorFileContent> content =
      runtime::readTensorFile(options.words[0], {.valueType = STRATA_F64});
  if (!content)
    return content.takeStatus();
  const Coordinates &list = content->list;
  Result<mlir::RankedTensorType> type = bench.tensorType(options.words[1], list.order());
  if (!type)
    return type.takeStatus();
  llvm::json::Array packing, unpacking;
  for (int round = -1; round < options.effort.rounds; ++round) {
    Result<Coordinates> copy = list.clone();
    if (!copy)
      return copy.takeStatus();
    PackTimes times;
    Result<TensorValue> packed = pack(bench.compiler, std::move(*copy), *type, &times);
    if (!packed)
      return packed.takeStatus();
    Stopwatch clock;
    Result<Coordinates> unpacked = unpackUnsorted(bench.compiler, *packed);
    double seconds = clock.lap();
    if (!unpacked)
      return unpacked.takeStatus();
    if (round < 0)
      continue;
    packing.push_back(times.sort + times.fill);
    unpacking.push_back(seconds);
  }
  print(llvm::json::Object{{"kind", "list"},
                           {"format", options.words[1]},
                           {"entries", list.count()},
                           {"pack_seconds", std::move(packing)},
                           {"unpack_seconds", std::move(unpacking)}});
  return Status();
}

static Status readFile(const std::string &file) {
  Stopwatch clock;
  Result<runtime::TensorFileContent> content =
      runtime::readTensorFile(file, {.valueType = STRATA_F64});
  double seconds = clock.lap();
  if (!content)
    return content.takeStatus();
  print(llvm::json::Object{
      {"kind", "read"}, {"seconds", seconds}, {"entries", content->list.count()}});
  return Status();
}

static Status makeFile(const Options &options) {
  Result<Coordinates> list = makeProblem(options.words[0]);
  if (list && options.shuffle)
    list = shuffled(*list);
  if (!list)
    return list.takeStatus();
  return runtime::writeTensorFile(options.words[1], *list);
}

//===------------------------------------------------------------------------------------------===//
// The command line
//===------------------------------------------------------------------------------------------===//

static bool parse(StringRef argument, Options &options) {
  if (argument.consume_front("--json="))
    options.json = argument.str();
  else if (argument.consume_front("--cache="))
    options.cache = argument.str();
  else if (argument.consume_front("--formats=")) {
    options.formats.clear();
    for (StringRef format : llvm::split(argument, ','))
      options.formats.push_back(format.str());
  } else if (argument.consume_front("--width="))
    return !argument.getAsInteger(10, options.width);
  else if (argument.consume_front("--rounds="))
    return !argument.getAsInteger(10, options.effort.rounds);
  else if (argument.consume_front("--seconds="))
    return !argument.getAsDouble(options.effort.seconds);
  else if (argument.consume_front("--threads="))
    return !argument.getAsInteger(10, options.threads);
  else if (argument == "--shuffled")
    options.shuffle = true;
  else if (argument.starts_with("-"))
    return false;
  else
    options.words.push_back(argument.str());
  return true;
}

static std::optional<Status> dispatch(StringRef command, const Options &options) {
  size_t count = options.words.size();
  if (command == "products" && count > 0)
    return products(options);
  if (command == "pack" && count == 2)
    return packFile(options);
  if (command == "convert" && count == 3)
    return convertFile(options);
  if (command == "list" && count == 2)
    return listFile(options);
  if (command == "read" && count == 1)
    return readFile(options.words[0]);
  if (command == "make" && count == 2)
    return makeFile(options);
  return std::nullopt;
}

} // namespace strata::benchmark

int main(int argc, char **argv) {
  using namespace strata::benchmark;
  Options options;
  bool valid = argc > 1;
  for (int at = 2; at < argc; ++at)
    valid &= parse(argv[at], options);
  std::optional<tbb::global_control> limit;
  if (options.threads > 0)
    limit.emplace(tbb::global_control::max_allowed_parallelism, options.threads);
  std::optional<strata::runtime::Status> status;
  if (valid)
    status = dispatch(argv[1], options);
  if (!status) {
    llvm::errs() << usage;
    return 2;
  }
  if (!status->ok())
    llvm::errs() << "strata-bench: " << status->error().text() << "\n";
  return status->ok() ? 0 : 1;
}
