// A fuzzer of the file readers: no input may crash, hang, or take memory out of proportion.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/FileFormats.h"
#include "strata/runtime/io/Info.h"

#include <cstdlib>

using namespace strata::runtime;

namespace {

void require(bool condition) {
  if (!condition)
    std::abort();
}

/// What every list that a reader returns must satisfy.
void check(const Coordinates &list, size_t bytes) {
  require(list.bytes() <= static_cast<int64_t>(300 * bytes + 4096));
  for (int d = 0; d < list.order(); ++d)
    for (int64_t e = 0; e < list.count(); ++e)
      require(list.coordinate(d, e) >= 0 &&
              list.coordinate(d, e) < list.sizes()[static_cast<size_t>(d)]);
  Result<TensorInfo> info = describe(list);
  require(info.ok() || isIntegerType(list.valueType())); // whose sums may not fit
}

/// Reads as one format.
void readAs(const FileFormat &format, const InputFile &file, const TensorFileOptions &options,
            size_t bytes) {
  if (Result<TensorFileContent> content = format.read(file, options)) {
    check(content->list, bytes);
  } else {
    const Error &error = content.error();
    require(!error.message.empty() && error.line >= 0);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  Result<InputFile> file = InputFile::fromText("input", text);
  if (!file)
    return 0;
  // The length chooses the type, so that inputs stay readable files.
  static constexpr strata_type types[] = {STRATA_F64, STRATA_F32,  STRATA_I32,
                                          STRATA_I64, STRATA_C128, STRATA_U64,
                                          STRATA_F16, STRATA_BOOL, STRATA_U8};
  TensorFileOptions options;
  if (size % 3 == 0)
    options.valueType = types[size / 3 % std::size(types)];
  if (size % 5 == 0)
    options.order = 2;
  // What is compressed may stand for far more text than there are bytes.
  size_t bytes = size;
  if (file->compression() != Compression::none) {
    Result<std::string_view> whole = file->whole([](std::string_view) { return true; });
    if (!whole || whole->size() > (1 << 20))
      return 0;
    bytes = whole->size();
  }
  const FileFormat &likely = formatOf(*file);
  readAs(likely, *file, options, bytes);
  // What HDF5's library reads, a process of its own does, which takes too long for every input.
  for (const FileFormat &format : fileFormats())
    if (format.reader && &format != &likely && format.name != "binsparse")
      readAs(format, *file, options, bytes);
  return 0;
}
