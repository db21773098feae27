// Writes what was measured.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_MACHINE_JSONFILE_H
#define STRATA_MACHINE_JSONFILE_H

#include "strata/runtime/Status.h"

#include <nlohmann/json.hpp>
#include <string>

namespace strata::machine {

/// The file appears whole, or not at all.
runtime::Status writeJson(const nlohmann::json &content, const std::string &file);

} // namespace strata::machine

#endif // STRATA_MACHINE_JSONFILE_H
