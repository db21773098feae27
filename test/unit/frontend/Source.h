// Text in, trees, programs and messages out: what the tests of the language share.
#ifndef STRATA_TEST_UNIT_FRONTEND_SOURCE_H
#define STRATA_TEST_UNIT_FRONTEND_SOURCE_H

#include "strata/frontend/OneLiner.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strata::frontend {

/// A text as the only file of a source manager, and what was said about it.
struct Source {
  explicit Source(const std::string &text, const std::string &name = "test.ta");

  /// All messages as they are printed, without colours.
  std::string messages() const;

  llvm::SourceMgr sources;
  unsigned id;
  Diagnostics diagnostics;
  mlir::MLIRContext context;
  TaFormats formats;
};

/// A program file around statements that stand in `main`, two columns to the right.
std::string inMain(const std::string &statements);

/// The analyzed program's operations, one on each line; or the messages, if there are errors.
std::string analyzed(const std::string &text, const Parameters &parameters = {});

/// The same for a statement given alone.
std::string analyzedAlone(const std::string &text, const OneLinerOptions &options);

/// The ta dialect's text of a program, or the messages.
std::string emitted(const std::string &text, const Parameters &parameters = {});

} // namespace strata::frontend

#endif // STRATA_TEST_UNIT_FRONTEND_SOURCE_H
