// What is measured, as a table for people and as lines of JSON for programs.
#ifndef STRATA_BENCHMARK_REPORT_H
#define STRATA_BENCHMARK_REPORT_H

#include "Contest.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace strata::benchmark {

/// One contest between products.
struct ProductResult {
  std::string matrix;
  int64_t rows, columns, entries;
  std::string product; ///< "SpMV", or "SpMM" with its width
  std::string format;  ///< ours
  std::string against;
  double flops;
  Outcome outcome;
};

class Report {
public:
  /// `file` receives one object a line; empty: none.
  static std::unique_ptr<Report> create(const std::string &file, std::string &why);

  void product(const ProductResult &result);
  /// An object for programs only.
  void line(llvm::json::Object object);

private:
  std::unique_ptr<llvm::raw_fd_ostream> json;
  std::string lastMatrix;
};

} // namespace strata::benchmark

#endif // STRATA_BENCHMARK_REPORT_H
