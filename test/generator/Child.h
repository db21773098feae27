// Work in a child process, so that a crash or an endless loop ends the child alone.
#ifndef STRATA_TEST_GENERATOR_CHILD_H
#define STRATA_TEST_GENERATOR_CHILD_H

#include <functional>
#include <string>

namespace strata::test {

/// How a child ended: 0, or the signal that killed it.
struct ChildEnd {
  int signal = 0;
  int status = 0;
  bool ok() const { return signal == 0 && status == 0; }
  /// "killed by signal 11 (Segmentation fault)", "no end after 30 s"
  std::string text() const;
};

/// Sends a line to the parent; any text, line breaks included.
using Report = std::function<void(const std::string &)>;

/// Runs `work` in a child, which reports lines; `receive` gets them here, as they come.
ChildEnd inChild(const std::function<void(const Report &)> &work,
                 const std::function<void(const std::string &)> &receive);

/// In a child: from now on it may take that many seconds of processors, and ten times as many in
/// all.
void limitSeconds(unsigned seconds);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_CHILD_H
