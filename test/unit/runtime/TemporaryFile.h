// Files that exist during one test.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_TEST_UNIT_RUNTIME_TEMPORARYFILE_H
#define STRATA_TEST_UNIT_RUNTIME_TEMPORARYFILE_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace strata::test {

/// An empty folder, removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "strata-XXXXXX").string();
    if (mkdtemp(name.data()))
      place = name;
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(place, ignored);
  }

  const std::filesystem::path &path() const { return place; }
  std::string file(const std::string &name) const { return (place / name).string(); }
  int64_t fileCount() const {
    int64_t count = 0;
    for (auto at = std::filesystem::directory_iterator(place); at != end(at); ++at)
      ++count;
    return count;
  }

private:
  std::filesystem::path place;
};

inline void writeText(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string readText(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

} // namespace strata::test
#endif // STRATA_TEST_UNIT_RUNTIME_TEMPORARYFILE_H
