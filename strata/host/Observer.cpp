// Tells on streams what a program does.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Observer.h"

using strata::runtime::Error;

namespace strata::host {

Observer::~Observer() = default;

void Console::print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), out); }

void Console::flush() { std::fflush(out); }

void Console::warn(const Instruction &, const std::string &text) {
  std::fprintf(messages, "warning: %s\n", text.c_str());
}

void Console::fail(const Instruction &at, const Error &error) {
  flush();
  if (error.shown)
    return;
  std::fprintf(messages, "%s: error: %s\n", program.placeOf(at).c_str(), error.sentence().c_str());
}

} // namespace strata::host
