// A file that appears complete or not at all: written beside its place, then renamed.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_OUTPUTFILE_H
#define STRATA_RUNTIME_IO_OUTPUTFILE_H

#include "strata/runtime/io/Compression.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <functional>
#include <memory>
#include <string_view>

namespace strata::runtime {

/// Appends the texts of things from `begin` to before `end` to a text; on several threads at once.
using ItemText = std::function<void(std::string &text, int64_t begin, int64_t end)>;

/// Text on its way to a file, compressed if its name ends in `.gz`, `.zst` or `.zstd`. Until
/// commit() the file of that name is untouched; without commit() it stays so. A name of something
/// that is no regular file (a pipe, a terminal) is written directly; `-` and `-.mtx` are standard
/// output.
class OutputFile {
public:
  /// `any`: by a library under placeholder(); what is compressed or no regular
  /// file is first written to the folder of temporary files.
  enum class Order { forwards, any };

  static Result<OutputFile> create(const std::string &path, Order order = Order::forwards);
  OutputFile(OutputFile &&other) noexcept;
  OutputFile(const OutputFile &) = delete;
  ~OutputFile() { discard(); }

  /// Tells whether several processes can write under this name: it is that of a plain file.
  static bool canBeShared(const std::string &path);
  /// The placeholder of another process, which makes the file appear. Messages name `path`.
  static Result<OutputFile> join(const std::string &placeholder, const std::string &path);

  Status write(std::string_view text);
  /// Writes from a byte of a plain file on.
  Status writeAt(int64_t offset, std::string_view text);
  /// Makes the file appear, once its bytes are on the disk.
  Status commit();
  /// What stands for the target, for libraries that write files by name. Before commit().
  const std::string &placeholder() const { return temporary.empty() ? path : temporary; }

  /// Writes the texts of `items` things. `progress` may be empty.
  Status writeItems(int64_t items, const ItemText &format,
                    const std::function<void(double)> &progress);

private:
  OutputFile() = default;
  void discard();
  Status writeBytes(std::string_view bytes);
  Status open(const std::string &name);
  Status openScratch();
  Status copyScratch();

  std::string path, temporary;
  int descriptor = -1;
  bool isJoined = false; ///< another process makes it appear
  Compression packing = Compression::none;
  std::unique_ptr<OutputFile> target; ///< of what lies in the folder of temporary files so far
};

/// Writes a header and the texts of `items` things, all or nothing. `progress` may be empty.
Status writeFile(const std::string &path, std::string_view header, int64_t items,
                 const ItemText &format, const std::function<void(double)> &progress);

/// Appends the shortest text that reads back as the same number.
void appendNumber(std::string &text, int64_t number);
void appendNumber(std::string &text, int32_t number);
void appendNumber(std::string &text, uint64_t number);
void appendNumber(std::string &text, uint32_t number);
void appendNumber(std::string &text, double number);
void appendNumber(std::string &text, float number);
void appendNumber(std::string &text, Float16 number);
void appendNumber(std::string &text, BFloat16 number);
/// Real part, blank, imaginary part.
void appendNumber(std::string &text, std::complex<double> number);
void appendNumber(std::string &text, std::complex<float> number);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_OUTPUTFILE_H
