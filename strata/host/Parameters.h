// The parameters of a program that its runs are given: files, numbers and sizes.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_PARAMETERS_H
#define STRATA_HOST_PARAMETERS_H

#include "strata/host/Program.h"
#include "strata/runtime/Status.h"

#include <map>

namespace strata::host {

/// What the value of a parameter must be. An Integer serves where a Number is asked for, too.
enum class ParameterKind { File, Number, Integer, Cells };

/// The parameters of a program, by their names. One that is used in several ways is what all of
/// them can read.
std::map<std::string, ParameterKind> parametersOf(const Program &program);

/// "FILE", "NUMBER", "INTEGER" or "CELLS", for texts that show how a parameter is given.
const char *wordOf(ParameterKind kind);

/// The size that the text gives; an error if that is no integer, or one below 0.
runtime::Result<int64_t> sizeOf(const std::string &name, const std::string &text);

/// The cells of a machine's axes, of which there are so many: "2x3".
runtime::Result<std::vector<int64_t>> cellsOf(const std::string &name, const std::string &text,
                                              size_t axes);

/// The bytes of an element that the text gives; an error if it is no number, or none that the type,
/// which is not complex, can represent. Real numbers are rounded.
runtime::Result<std::vector<char>> elementOf(const std::string &name, const std::string &text,
                                             strata_type type);

} // namespace strata::host

#endif // STRATA_HOST_PARAMETERS_H
