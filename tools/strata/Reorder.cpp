// strata reorder: a tensor with its indices in another order.
#include "strata/runtime/storage/Reorder.h"
#include "Arguments.h"
#include "Commands.h"
#include "DataFile.h"
#include "Interrupts.h"
#include "Messages.h"
#include "Progress.h"
#include "Threads.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/runtime/io/Info.h"
#include "strata/runtime/io/InputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <numeric>

using llvm::raw_ostream;
using llvm::StringRef;

namespace strata::tool {

namespace reorder {
#define STRATA_OPTIONS "ReorderOptions.inc"
#include "OptionTable.def"
} // namespace reorder

const Command reorderDescription{
    "reorder", R"(
strata reorder permutes the rows and columns of a matrix, or the indices of each dimension of a
tensor, so that entries come together: then products find more of what they need in the caches.

  strata reorder m.mtx -o r.mtx --by=rcm              rows and columns alike, for a small bandwidth
  strata reorder t.tns -o r.tns --by=lexi             each dimension, so that like slices are neighbours
  strata reorder m.mtx -o r.mtx --by=lexi-balanced    ... but rows with many entries are spread
  strata reorder m.mtx -o r.mtx --by=degree --dims=1  the rows alone, those with most entries first

The permutations can be kept, for what is computed with the tensor. Here x belongs to the columns of
m, and y to its rows:

  strata reorder m.mtx -o r.mtx --by=lexi --permutation=p.mtx
  strata reorder x.mtx -o rx.mtx --apply=p.mtx --dims=2
  strata reorder ry.mtx -o y.mtx --undo=p.mtx --dims=1

Entries with equal coordinates are added, and the file is written in the order of rows, whole or not
at all; it may be the one that is read.
)",
    reorder::table, "IN", "a tensor with its indices in an order that brings entries together"};

using runtime::Permutation;
using runtime::Permutations;
using runtime::Result;
using runtime::Status;
using runtime::TensorFileContent;

namespace {

// At most 64, of 16 indices or more.
int64_t stretchesOf(int64_t size) { return std::clamp<int64_t>(size / 16, 1, 64); }

// How evenly entries lie: what the fullest of equal stretches of a dimension holds, in means.
double fullestStretch(const runtime::Coordinates &list, int dimension) {
  const int64_t stretches = stretchesOf(list.sizes()[size_t(dimension)]);
  std::vector<int64_t> counts = runtime::countInGrid(list, stretches, 1, {dimension, dimension});
  return double(*llvm::max_element(counts) * stretches) /
         double(std::max<int64_t>(list.count(), 1));
}

// The same failure, of a file.
Status inFile(Status failed, const std::string &file) {
  failed.error().file = file;
  return failed;
}

class Reorderer {
public:
  explicit Reorderer(const llvm::opt::InputArgList &list)
      : list(list), by(list.getLastArgValue(reorder::OPT_by)) {}

  int run(const std::string &from, const std::string &to) {
    toStandardOutput = runtime::isStandardStream(to);
    Stopwatch watch;
    Result<TensorFileContent> content = read(from);
    if (!content)
      return misused ? exitMisuse : fail(content.error().sentence());
    entries = std::move(content->list);
    const double readTime = watch.lap();
    if (entries.order() == 0)
      return fail("'" + from + "' holds a scalar, which has no indices to reorder");
    if (Status found = findPermutations(from); !found.ok())
      return misused ? exitMisuse : fail(found.error().sentence());
    if (Status moved = move(); !moved.ok())
      return fail(moved.error().sentence());
    const double orderTime = watch.lap();
    if (Status written = write(to, content->fill); !written.ok())
      return fail(written.error().sentence());
    if (list.hasArg(reorder::OPT_time))
      print({{"read", readTime}, {"reorder", orderTime}, {"write", watch.lap()}});
    return exitSuccess;
  }

private:
  Result<TensorFileContent> read(const std::string &file) {
    runtime::TensorFileOptions options;
    std::optional<int64_t> base = parseBase(list, reorder::OPT_base);
    misused = !base;
    options.base = indexBase = base.value_or(1);
    if (const llvm::opt::Arg *sizes = list.getLastArg(reorder::OPT_sizes)) {
      options.sizes = parseSizes(*sizes);
      misused |= !options.sizes;
    }
    if (misused)
      return runtime::Error::alreadyShown("wrong arguments");
    options.valueType = runtime::valueTypeOfFile(file);
    Result<TensorFileContent> content = readData(file, options);
    if (content && options.sizes)
      if (Status fits = checkSizes(file, content->list.sizes(), *options.sizes); !fits.ok())
        return fits;
    return content;
  }

  Status findPermutations(const std::string &from) {
    if (Result<int64_t> added = entries.sumDuplicates(); !added)
      return added.takeStatus();
    Result<Permutations> found = by.empty() ? readPermutations() : order(from);
    if (!found)
      return found.takeStatus();
    permutations = std::move(*found);
    return {};
  }

  // --dims, all where not given. Nothing after a mistake, which was reported.
  std::optional<std::vector<int>> dimensions() {
    std::optional<std::vector<int>> chosen(std::in_place, size_t(entries.order()));
    std::iota(chosen->begin(), chosen->end(), 0);
    if (const llvm::opt::Arg *dims = list.getLastArg(reorder::OPT_dims))
      chosen = parseDimensions(*dims, entries.order());
    misused |= !chosen;
    return chosen;
  }

  Result<Permutations> order(const std::string &from) {
    std::shared_ptr<void> progress = workProgress("reordering " + from);
    std::optional<std::vector<int>> chosen = dimensions();
    if (!chosen)
      return runtime::Error::alreadyShown("wrong arguments");
    if (by == "rcm") {
      Result<Permutations> found = runtime::reverseCuthillMcKee(entries);
      return found ? std::move(found) : inFile(found.takeStatus(), from);
    }
    if (by == "degree")
      return runtime::orderByDegree(entries, *chosen);
    return lexiOrder(*chosen);
  }

  Result<Permutations> lexiOrder(const std::vector<int> &chosen) {
    int64_t iterations = runtime::usualLexiIterations;
    if (const llvm::opt::Arg *given = list.getLastArg(reorder::OPT_iterations)) {
      std::optional<int64_t> count = parseCount(*given, 1);
      misused = !count;
      if (misused)
        return runtime::Error::alreadyShown("wrong arguments");
      iterations = *count;
    }
    Result<runtime::LexiOrder> found = runtime::lexiOrder(entries, chosen, iterations);
    if (!found)
      return found.takeStatus();
    if (list.hasArg(reorder::OPT_verbose))
      out() << "Lexi-Order: " << counted(found->iterations, "iteration") << "\n";
    if (by == "lexi-balanced") {
      Permutation &first = found->permutations[size_t(chosen.front())];
      Result<Permutation> balanced = runtime::balanceOrder(entries, chosen.front(), first);
      if (!balanced)
        return balanced.takeStatus();
      first = std::move(*balanced);
    }
    return std::move(found->permutations);
  }

  // Of the file that --apply or --undo names: that which moves each dimension of the tensor.
  Result<Permutations> readPermutations() {
    const llvm::opt::Arg *apply = list.getLastArg(reorder::OPT_apply);
    const std::string file =
        apply ? apply->getValue() : list.getLastArgValue(reorder::OPT_undo).str();
    Result<TensorFileContent> content =
        readData(file, {.valueType = STRATA_I64, .base = indexBase});
    if (!content)
      return content.takeStatus();
    Result<Permutations> stored = runtime::permutationsOf(content->list);
    if (!stored)
      return inFile(stored.takeStatus(), file);
    const llvm::opt::Arg *dims = list.getLastArg(reorder::OPT_dims);
    const auto kept = int64_t(stored->size());
    if (!dims && kept != entries.order())
      return runtime::Error{runtime::Error::Permutation,
                            "the tensor has " + counted(entries.order(), "dimension") +
                                ", and there are permutations of " + std::to_string(kept),
                            "--dims, whose permutations move the dimensions of the tensor", file};
    std::optional<std::vector<int>> columns(std::in_place, size_t(kept));
    std::iota(columns->begin(), columns->end(), 0);
    if (dims)
      columns = parseDimensions(*dims, kept, /*repeatable=*/true);
    misused = !columns;
    if (columns && columns->size() > size_t(entries.order())) {
      misused = true;
      refuse("--dims names " + counted(columns->size(), "permutation") + ", and the tensor has " +
                 counted(entries.order(), "dimension"),
             "one for each dimension, from the first on");
    }
    if (misused)
      return runtime::Error::alreadyShown("wrong arguments");
    return choose(*stored, *columns, file, apply);
  }

  Result<Permutations> choose(const Permutations &stored, const std::vector<int> &columns,
                              const std::string &file, bool applies) const {
    Permutations chosen;
    for (auto [d, size] : llvm::enumerate(entries.sizes())) {
      if (d >= columns.size()) {
        chosen.push_back({.size = size});
        continue;
      }
      const Permutation &one = stored[size_t(columns[d])];
      if (one.size != size)
        return runtime::Error{runtime::Error::Permutation,
                              "dimension " + std::to_string(d + 1) +
                                  " of the tensor has the size " + std::to_string(size) +
                                  ", and permutation " + std::to_string(columns[d] + 1) +
                                  " is one of " + counted(one.size, "index", "indices"),
                              "--dims, whose permutations move the dimensions of the tensor", file};
      chosen.push_back(applies ? one : runtime::inverseOf(one));
    }
    return chosen;
  }

  Status move() {
    const bool compares = list.hasArg(reorder::OPT_verbose);
    const Measures before = compares ? measure() : Measures();
    if (Status moved = runtime::permuteIndices(entries, permutations); !moved.ok())
      return moved;
    if (Status sorted = entries.sort(); !sorted.ok())
      return sorted;
    if (compares)
      print(before, measure());
    return {};
  }

  // What --verbose compares.
  struct Measures {
    std::optional<int64_t> bandwidth = {}; // of a square matrix
    std::vector<double> fullest = {};      // of each dimension
  };

  Measures measure() const {
    Measures measures;
    if (entries.order() == 2 && entries.sizes()[0] == entries.sizes()[1])
      measures.bandwidth = runtime::bandwidthOf(entries);
    for (int d = 0; d < entries.order(); ++d)
      measures.fullest.push_back(fullestStretch(entries, d));
    return measures;
  }

  void print(const Measures &before, const Measures &after) const {
    if (before.bandwidth)
      out() << "bandwidth: " << *before.bandwidth << " before, " << *after.bandwidth << " after\n";
    for (auto [d, was, is] : llvm::enumerate(before.fullest, after.fullest))
      if (int64_t stretches = stretchesOf(entries.sizes()[d]); stretches > 1)
        out() << "dimension " << d + 1 << ": the fullest of " << stretches << " equal stretches"
              << llvm::format(" has %.2f times the mean before, %.2f after\n", was, is);
  }

  Status write(const std::string &to, std::complex<double> fill) const {
    if (const llvm::opt::Arg *file = list.getLastArg(reorder::OPT_permutation)) {
      Result<runtime::Coordinates> matrix = runtime::matrixOf(permutations);
      if (!matrix)
        return matrix.takeStatus();
      if (Status written = runtime::writeTensorFile(file->getValue(), *matrix, {.base = indexBase});
          !written.ok())
        return written;
    }
    if (std::optional<Status> written = writeDense(to))
      return std::move(*written);
    return fill == 0.0 ? runtime::writeTensorFile(to, entries, {.base = indexBase})
                       : runtime::writeTensorFile(to, entries, fill);
  }

  // Where every place has an entry, the sorted values are a dense tensor, and stay one.
  std::optional<Status> writeDense(const std::string &to) const {
    std::vector<int64_t> strides(entries.sizes().size(), 1);
    double places = 1;
    for (size_t d = strides.size(); d-- > 0;) {
      strides[d] = int64_t(places);
      places *= double(entries.sizes()[d]);
      if (places > double(entries.count()))
        return std::nullopt;
    }
    if (entries.count() == 0 || places != double(entries.count()))
      return std::nullopt;
    return runtime::writeDenseTensorFile(
        to, {entries.sizes(), strides, entries.valueType(), entries.values().data()});
  }

  raw_ostream &out() const { return toStandardOutput ? llvm::errs() : llvm::outs(); }

  void print(llvm::ArrayRef<std::pair<StringRef, double>> times) const {
    for (auto [what, seconds] : times)
      out() << "  " << llvm::left_justify(what, 10) << llvm::format("%10.3f ms\n", 1e3 * seconds);
  }

  const llvm::opt::InputArgList &list;
  StringRef by;
  runtime::Coordinates entries;
  Permutations permutations;
  int64_t indexBase = 1; // of FROSTT files
  bool misused = false, toStandardOutput = false;
};

} // namespace

// Reports options that contradict each other. False after a mistake.
static bool areConsistent(const llvm::opt::InputArgList &list) {
  using namespace reorder;
  StringRef by = list.getLastArgValue(OPT_by);
  const bool stored = list.hasArg(OPT_apply) || list.hasArg(OPT_undo);
  if (list.hasArg(OPT_by) + list.hasArg(OPT_apply) + list.hasArg(OPT_undo) != 1)
    return refuse("'strata reorder' needs one of --by, --apply and --undo",
                  "strata reorder m.mtx -o r.mtx --by=rcm"),
           false;
  constexpr StringRef orders[] = {"rcm", "lexi", "lexi-balanced", "degree"};
  if (!stored && !llvm::is_contained(orders, by))
    return refuse("'" + by + "' is not an order", "rcm, lexi, lexi-balanced or degree"), false;
  if (by == "rcm" && list.hasArg(OPT_dims))
    return refuse("--by=rcm reorders rows and columns alike, and --dims chooses dimensions",
                  "--by=lexi, --by=lexi-balanced and --by=degree reorder some alone"),
           false;
  if (list.hasArg(OPT_iterations) && !by.starts_with("lexi"))
    return refuse("--iterations is for Lexi-Order", "--by=lexi"), false;
  return true;
}

int reorderCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace reorder;
  Arguments args = parseArguments(reorderDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::optional<std::string> file = args.onlyInput("reorder", "one file");
  if (!file)
    return *args.exitCode;
  const std::string output = args.list.getLastArgValue(OPT_output).str();
  if (output.empty())
    return refuse("'strata reorder' needs a file to write",
                  "strata reorder " + *file + " -o r.mtx --by=rcm");
  if (output == "-")
    return refuse("nothing says which format to write to standard output",
                  "give its ending: -o -.mtx");
  if (output == args.list.getLastArgValue(OPT_permutation))
    return refuse("-o and --permutation name the same file");
  if (!areConsistent(args.list))
    return exitMisuse;
  watchInterrupts();
  ThreadLimit threads;
  if (!threads.set(args.list.getLastArg(OPT_threads)))
    return exitMisuse;
  return Reorderer(args.list).run(*file, output);
}

} // namespace strata::tool
