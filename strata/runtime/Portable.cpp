// Functions that LLVM and libarchive take from the C library of Debian 12; older ones lack them.
#include <cstddef>
#include <cstdint>
#include <sys/random.h>

// glibc has both from 2.36 on. They name temporary files and files in archives: where the kernel
// has no random numbers to give, counting serves.
extern "C" {

__attribute__((visibility("hidden"))) void arc4random_buf(void *bytes, size_t count) {
  static uint8_t last = 0;
  auto *at = static_cast<uint8_t *>(bytes);
  for (size_t left = count; left > 0;) {
    const ssize_t given = getrandom(at, left < 256 ? left : 256, 0);
    const size_t taken = given > 0 ? size_t(given) : 1;
    if (given <= 0)
      *at = ++last;
    at += taken;
    left -= taken;
  }
}

__attribute__((visibility("hidden"))) uint32_t arc4random() {
  uint32_t number;
  arc4random_buf(&number, sizeof number);
  return number;
}
}
