// Reads the build ids of what is loaded off its segments in memory.
#include "strata/execution/LoadedLibraries.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

#include <link.h>

using llvm::StringRef;

namespace strata {

// The build id in a segment of notes, each a header, a name and contents, in words of four bytes.
static llvm::ArrayRef<uint8_t> buildIdIn(llvm::ArrayRef<uint8_t> notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    auto *header = reinterpret_cast<const ElfW(Nhdr) *>(notes.data());
    size_t name = sizeof *header, contents = name + llvm::alignTo<4>(header->n_namesz),
           end = contents + llvm::alignTo<4>(header->n_descsz);
    if (end > notes.size())
      break;
    bool isGnu = header->n_namesz == 4 && memcmp(notes.data() + name, "GNU", 4) == 0;
    if (isGnu && header->n_type == NT_GNU_BUILD_ID)
      return notes.slice(contents, header->n_descsz);
    notes = notes.drop_front(end);
  }
  return {};
}

static int appendIdentity(dl_phdr_info *library, size_t, void *text) {
  StringRef name = library->dlpi_name;
  if (!name.empty() && !name.starts_with("/"))
    return 0; // the kernel's own
  std::string &identities = *static_cast<std::string *>(text);
  for (const ElfW(Phdr) &segment : llvm::ArrayRef(library->dlpi_phdr, library->dlpi_phnum)) {
    if (segment.p_type != PT_NOTE)
      continue;
    auto *begin = reinterpret_cast<const uint8_t *>(library->dlpi_addr + segment.p_vaddr);
    auto id = buildIdIn({begin, segment.p_memsz});
    if (!id.empty()) {
      identities += llvm::toHex(id) + "\n";
      return 0;
    }
  }
  llvm::sys::fs::file_status file;
  std::string path = name.empty() ? "/proc/self/exe" : name.str();
  if (!llvm::sys::fs::status(path, file))
    identities += path + " " + std::to_string(file.getSize()) + " " +
                  std::to_string(file.getLastModificationTime().time_since_epoch().count()) + "\n";
  return 0;
}

StringRef loadedLibraries() {
  static const std::string identities = [] {
    std::string text;
    dl_iterate_phdr(appendIdentity, &text);
    return text;
  }();
  return identities;
}

} // namespace strata
