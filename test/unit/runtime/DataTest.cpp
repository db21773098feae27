// Files that others published, where STRATA_DATA names the folder that has them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "TemporaryFile.h"
#include "strata/runtime/io/FileFormats.h"
#include "strata/runtime/io/Frostt.h"
#include "strata/runtime/io/Info.h"
#include "strata/runtime/io/MatrixMarket.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <sstream>

namespace {

using namespace strata::runtime;
using Row = std::map<std::string, std::string>;

#define SKIP_WITHOUT_DATA                                                                          \
  if (!std::getenv("STRATA_DATA"))                                                                 \
  GTEST_SKIP() << "skipped: no data (set STRATA_DATA)"

std::filesystem::path data() { return std::getenv("STRATA_DATA"); }

/// The lines of INDEX.tsv by the names of the columns.
std::vector<Row> readIndex() {
  std::ifstream file(data() / "INDEX.tsv");
  std::vector<Row> rows;
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    Row row;
    size_t column = 0;
    for (std::string cell; std::getline(cells, cell, '\t'); ++column) {
      if (rows.empty() && names.size() == column && line.starts_with("file\t"))
        names.push_back(cell);
      else if (column < names.size())
        row[names[column]] = cell;
    }
    if (!row.empty())
      rows.push_back(row);
  }
  return rows;
}

std::string sizesOf(const Coordinates &list) {
  std::string text;
  for (int64_t size : list.sizes())
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

TEST(DataTest, EveryMatrixIsAsTheIndexSays) {
  SKIP_WITHOUT_DATA;
  int64_t files = 0;
  for (Row &row : readIndex()) {
    const std::string &name = row["file"];
    if (!name.ends_with(".mtx") || name.starts_with("malformed"))
      continue;
    SCOPED_TRACE(name);
    Result<MatrixMarketContent> content = readMatrixMarket((data() / name).string());
    ASSERT_TRUE(content.ok()) << content.error().text();
    ++files;
    EXPECT_EQ(sizesOf(content->list), row["rows_or_modes"] + "x" + row["cols"]);
    EXPECT_EQ(std::to_string(content->list.count()), row["nnz_expanded"]);
    if (content->facts.layout == MatrixMarketFacts::Layout::array)
      continue;
    EXPECT_EQ(std::to_string(content->facts.storedCount), row["nnz_stored"]);
    Result<TensorInfo> info = describe(content->list);
    ASSERT_TRUE(info.ok());
    EXPECT_EQ(info->explicitZeros > 0, row["tags"].find("explicit-zeros") != std::string::npos);
    if (row["maxrow"].empty())
      continue;
    EXPECT_EQ(std::to_string(info->slices.greatest), row["maxrow"]);
    EXPECT_NEAR(info->slices.mean, std::stod(row["avgrow"]), 0.0051);
    EXPECT_NEAR(static_cast<double>(info->slices.empty) / static_cast<double>(info->sizes[0]),
                std::stod(row["emptyrow_frac"]), 0.00051);
    EXPECT_EQ(std::to_string(info->matrix->diagonals), row["ndiags"]);
    if (!row["bandwidth"].empty()) {
      EXPECT_EQ(std::to_string(info->matrix->bandwidth), row["bandwidth"]);
    }
    if (content->facts.symmetry == Symmetry::symmetric) {
      EXPECT_EQ(info->matrix->numericSymmetry, 1);
    }
    if (content->facts.symmetry == Symmetry::hermitian) {
      EXPECT_TRUE(info->matrix->hermitian);
    }
    if (content->facts.symmetry == Symmetry::skewSymmetric) {
      EXPECT_TRUE(info->matrix->skewSymmetric);
    }
  }
  EXPECT_GE(files, 100);
}

TEST(DataTest, EveryTensorIsAsTheIndexSays) {
  SKIP_WITHOUT_DATA;
  int64_t files = 0;
  for (Row &row : readIndex()) {
    const std::string &name = row["file"];
    if (!name.ends_with(".tns") || name.starts_with("malformed"))
      continue;
    SCOPED_TRACE(name);
    Result<FrosttContent> read = readFrostt((data() / name).string());
    // Another format by the same ending, indices from 0, and a first line with an index too few.
    if (row["nnz_stored"].empty() || row["tags"].find("ZERO-BASED") != std::string::npos ||
        name == "tensors/comet_test_rank8.tns") {
      EXPECT_FALSE(read.ok());
      continue;
    }
    ASSERT_TRUE(read.ok()) << read.error().text();
    const Coordinates *list = &read->list;
    ++files;
    EXPECT_EQ(sizesOf(*list), row["rows_or_modes"]);
    // The index counts COMET's header as an entry.
    const int64_t headers = read->header.empty() ? 0 : 1;
    EXPECT_EQ(headers, name == "tensors/comet_test_rank3.tns");
    EXPECT_EQ(std::to_string(list->count() + headers), row["nnz_stored"]);
    Result<TensorInfo> info = describe(*list);
    ASSERT_TRUE(info.ok());
    const size_t at = row["tags"].find("DUPLICATES(");
    const int64_t duplicates =
        at == std::string::npos ? 0 : std::stoll(row["tags"].substr(at + sizeof "DUPLICATES"));
    EXPECT_EQ(info->duplicates, duplicates);
  }
  EXPECT_GE(files, 20);
}

/// What must become of a file, by its name; absent: either.
std::optional<bool> mustBeRead(const std::string &name) {
  auto below = [&](const char *folder) {
    return name.starts_with(std::string("malformed/") + folder);
  };
  // Type hints of another library and duplicates are no mistakes of the format.
  static const std::set<std::string> fine = {
      "mangled14.mtx",     "mangled_bool.mtx",   "mangled_int8.mtx",
      "mangled_int16.mtx", "mangled_int32.mtx",  "mangled_skew.mtx",
      "mangled_uint8.mtx", "mangled_uint16.mtx", "mangled_uint32.mtx"};
  if (below("fast_matrix_market/invalid/"))
    return false;
  if (below("lagraph/mangled"))
    return fine.contains(name.substr(name.rfind('/') + 1));
  if (below("fast_matrix_market/symmetry/") ||
      (below("fast_matrix_market/py/matrix_") && !name.ends_with(".bz2")) ||
      below("fast_matrix_market/permissive/") || below("fast_matrix_market/graphblas/") ||
      below("fast_matrix_market/symmetry_array/") || below("fast_matrix_market/py/misc/") ||
      below("fast_matrix_market/py/scipy_crashes/"))
    return true;
  if (name.ends_with(".rb"))
    return true;
  if (below("rbio_ok/") || below("arpack/") || name.ends_with("zeroidx.tns"))
    return false;
  return std::nullopt;
}

TEST(DataTest, MalformedFilesAreRefusedAndEdgeCasesRead) {
  SKIP_WITHOUT_DATA;
  int64_t files = 0;
  for (auto &entry : std::filesystem::recursive_directory_iterator(data() / "malformed")) {
    if (!entry.is_regular_file())
      continue;
    const std::string path = entry.path().string();
    const std::string name = std::filesystem::relative(entry.path(), data()).string();
    SCOPED_TRACE(name);
    ++files;
    const auto limit = static_cast<int64_t>(200 * entry.file_size() + 4096);
    Result<MatrixMarketContent> matrix = readMatrixMarket(path);
    Result<FrosttContent> tensor = readFrostt(path);
    if (matrix) {
      EXPECT_LE(matrix->list.bytes(), limit);
    } else {
      EXPECT_TRUE(matrix.error().text().starts_with(path)) << matrix.error().text();
    }
    if (tensor) {
      EXPECT_LE(tensor->list.bytes(), limit);
    } else {
      EXPECT_TRUE(tensor.error().text().starts_with(path)) << tensor.error().text();
    }
    Result<TensorFileContent> any = readTensorFile(path);
    if (any) {
      EXPECT_LE(any->list.bytes(), limit);
    } else {
      EXPECT_TRUE(any.error().text().starts_with(path)) << any.error().text();
    }
    if (std::optional<bool> expected = mustBeRead(name)) {
      EXPECT_EQ(any.ok(), *expected) << (any.ok() ? "was read" : any.error().text());
    }
  }
  EXPECT_GE(files, 250);
}

/// Published files of the other formats are read whole; cut anywhere, they are refused, or what is
/// left is a file, too.
TEST(DataTest, OtherFormatsWholeAndCut) {
  SKIP_WITHOUT_DATA;
  std::mt19937 random(1);
  int64_t files = 0;
  for (const char *folder : {"matrices/hb", "tensors", "tensors/fcidump", "dlmc"})
    for (auto &entry : std::filesystem::recursive_directory_iterator(data() / folder)) {
      const std::string path = entry.path().string();
      if (!entry.is_regular_file() || path.ends_with(".md") || path.ends_with(".csv") ||
          path.ends_with(".txt") || path.ends_with(".npy") || path.ends_with(".dat"))
        continue;
      SCOPED_TRACE(path);
      ++files;
      const bool other = path.ends_with("pyttb_ktensor.tns") || path.ends_with("zeroidx.tns") ||
                         path.ends_with("rank8.tns") || path.ends_with("taco_d432.ttx");
      Result<TensorFileContent> whole = readTensorFile(path);
      EXPECT_TRUE(whole.ok() || other) << whole.error().text();
      if (entry.file_size() > 2000000)
        continue;
      const std::string text = strata::test::readText(path);
      for (int i = 0; i < 10; ++i) {
        const size_t size = random() % text.size();
        Result<InputFile> file = InputFile::fromText(path, text.substr(0, size));
        if (!file)
          continue;
        Result<TensorFileContent> cut = formatOf(*file).read(*file, {});
        EXPECT_TRUE(cut.ok() || cut.error().text().starts_with(path)) << cut.error().text();
        if (cut) {
          EXPECT_LE(cut->list.bytes(), static_cast<int64_t>(300 * size + 4096));
        }
      }
    }
  EXPECT_GE(files, 70);
}

} // namespace
