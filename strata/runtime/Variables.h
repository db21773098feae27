// Environment variables, and what a file of settings gives in their place.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_VARIABLES_H
#define STRATA_RUNTIME_VARIABLES_H

#include <string>

namespace strata::runtime {

/// Returns the value of an environment variable, else what giveVariable() has given for it; null
/// where there is neither. The text lives as long as getenv()'s would. Any thread may call it.
const char *variable(const char *name);

/// Gives a variable a value that takes precedence over the environment, or only stands in where
/// the environment has none.
enum class Precedence { OverEnvironment, UnderEnvironment };
void giveVariable(const std::string &name, std::string value, Precedence precedence);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_VARIABLES_H
