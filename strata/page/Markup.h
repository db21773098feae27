// Text between the tags of XML and HTML.
#ifndef STRATA_PAGE_MARKUP_H
#define STRATA_PAGE_MARKUP_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace strata::page {

/// The text with its markup characters, quotes among them, as references, so that it stands for
/// itself between tags and within an attribute's quotes. What no XML document may contain (control
/// characters, bytes that are not UTF-8) becomes U+FFFD.
std::string escaped(llvm::StringRef text);

} // namespace strata::page

#endif // STRATA_PAGE_MARKUP_H
