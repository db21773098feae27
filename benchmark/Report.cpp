// Prints results as they come.
#include "Report.h"

#include "llvm/Support/FormatVariadic.h"

namespace strata::benchmark {

std::unique_ptr<Report> Report::create(const std::string &file, std::string &why) {
  auto report = std::make_unique<Report>();
  if (file.empty())
    return report;
  std::error_code error;
  report->json = std::make_unique<llvm::raw_fd_ostream>(file, error);
  if (error) {
    why = "cannot write '" + file + "': " + error.message();
    return nullptr;
  }
  return report;
}

void Report::product(const ProductResult &result) {
  const Outcome &outcome = result.outcome;
  if (result.matrix != lastMatrix) {
    llvm::outs() << llvm::formatv("\n{0}: {1} x {2}, {3} entries\n", result.matrix, result.rows,
                                  result.columns, result.entries);
    llvm::outs() << llvm::formatv("  {0,-9} {1,-6} {2,-16} {3,10} {4,10} {5,8} {6,7} {7,15}\n",
                                  "product", "format", "against", "us", "theirs us", "GFLOP/s",
                                  "ratio", "lowest-highest");
  }
  lastMatrix = result.matrix;
  llvm::outs() << llvm::formatv(
      "  {0,-9} {1,-6} {2,-16} {3,10:f1} {4,10:f1} {5,8:f2} {6,7:f3} {7,7:f3}-{8,-7:f3}\n",
      result.product, result.format, result.against, outcome.ours * 1e6, outcome.theirs * 1e6,
      result.flops / outcome.ours * 1e-9, outcome.ratio, outcome.lowest, outcome.highest);
  llvm::outs().flush();
  line(llvm::json::Object{{"kind", "product"},
                          {"matrix", result.matrix},
                          {"rows", result.rows},
                          {"columns", result.columns},
                          {"entries", result.entries},
                          {"product", result.product},
                          {"format", result.format},
                          {"against", result.against},
                          {"seconds", outcome.ours},
                          {"their_seconds", outcome.theirs},
                          {"gflops", result.flops / outcome.ours * 1e-9},
                          {"ratio", outcome.ratio},
                          {"lowest", outcome.lowest},
                          {"highest", outcome.highest},
                          {"rounds", outcome.rounds}});
}

void Report::line(llvm::json::Object object) {
  if (!json)
    return;
  *json << llvm::json::Value(std::move(object)) << "\n";
  json->flush();
}

} // namespace strata::benchmark
