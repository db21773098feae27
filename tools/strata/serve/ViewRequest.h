// What the page asks for: a statement with its options, which is hostile until it was checked.
#ifndef STRATA_TOOLS_SERVE_VIEWREQUEST_H
#define STRATA_TOOLS_SERVE_VIEWREQUEST_H

#include "strata/runtime/Status.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace strata::tool {

struct ViewRequest {
  std::string view, statement, schedule;
  std::map<std::string, std::string> formats, types, sizes; ///< of tensors; sizes of labels
  std::map<std::string, std::string> data;                  ///< of tensors: what -g takes
  std::map<std::string, std::string> files; ///< of tensors: below the folder, checked
};

/// Reads a request from JSON. Fails where it is none: names that are no names, a statement that the
/// command line would take for an option, files that do not lie below `folder`.
runtime::Result<ViewRequest> readViewRequest(llvm::StringRef json, const std::string &folder);

/// The file of this name below the folder, without links on its way. Fails of others.
runtime::Result<std::string> fileBelow(const std::string &folder, llvm::StringRef name);

/// Names of tensor files below the folder, sorted, relative to it: the first so many.
std::vector<std::string> dataFilesBelow(const std::string &folder, size_t most);

} // namespace strata::tool

#endif // STRATA_TOOLS_SERVE_VIEWREQUEST_H
