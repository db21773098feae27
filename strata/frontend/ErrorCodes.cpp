// Cuts the page into sections, and finds the section of a message.
#include "strata/frontend/ErrorCodes.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using llvm::StringRef;

namespace strata::frontend {

static const char errorTable[] =
#include "Errors.md.inc"
    ;

// The texts between backquotes.
static std::vector<StringRef> quotedIn(StringRef line) {
  std::vector<StringRef> texts;
  llvm::SmallVector<StringRef> parts;
  line.split(parts, '`');
  for (size_t at = 1; at + 1 < parts.size(); at += 2)
    texts.push_back(parts[at]);
  return texts;
}

static std::vector<ErrorPage> readPages() {
  std::vector<ErrorPage> pages;
  llvm::SmallVector<StringRef> sections;
  StringRef(errorTable).split(sections, "\n### ");
  for (StringRef section : llvm::ArrayRef(sections).drop_front()) {
    section = section.take_front(section.find("\n## ")).rtrim();
    auto [heading, body] = section.split('\n');
    auto [code, name] = heading.split(": ");
    ErrorPage page{code, name, {}, {}, section};
    llvm::SmallVector<StringRef> paragraphs;
    body.split(paragraphs, "\n\n");
    for (StringRef paragraph : paragraphs) {
      paragraph = paragraph.ltrim();
      if (paragraph.consume_front("Says: "))
        page.says = quotedIn(paragraph);
      else if (paragraph.consume_front("Says when it runs: "))
        page.saysRunning = quotedIn(paragraph);
    }
    pages.push_back(std::move(page));
  }
  std::sort(pages.begin(), pages.end(),
            [](const ErrorPage &a, const ErrorPage &b) { return a.code < b.code; });
  return pages;
}

llvm::ArrayRef<ErrorPage> errorPages() {
  static const std::vector<ErrorPage> pages = readPages();
  return pages;
}

const ErrorPage *findErrorPage(StringRef code) {
  for (const ErrorPage &page : errorPages())
    if (page.code.equals_insensitive(code))
      return &page;
  return nullptr;
}

// How many bytes of a message a pattern says, and one; 0 if the message is another one.
static size_t fit(StringRef pattern, StringRef message) {
  llvm::SmallVector<StringRef> parts;
  pattern.split(parts, "…");
  size_t said = 1;
  for (auto [at, part] : llvm::enumerate(parts)) {
    said += part.size();
    const bool isFirst = at == 0, isLast = at + 1 == parts.size();
    if (isFirst) {
      if (!message.consume_front(part) || (isLast && !message.empty()))
        return 0;
    } else if (isLast) {
      if (!message.ends_with(part))
        return 0;
    } else {
      size_t place = message.find(part);
      if (place == StringRef::npos)
        return 0;
      message = message.drop_front(place + part.size());
    }
  }
  return said;
}

std::pair<StringRef, StringRef> splitCode(StringRef message) {
  auto [text, behind] = message.rsplit(" [");
  const ErrorPage *page = behind.consume_back("]") ? findErrorPage(behind) : nullptr;
  return page ? std::pair(text, page->code) : std::pair(message, StringRef());
}

StringRef errorCodeOf(StringRef message) {
  if (StringRef behind = splitCode(message).second; !behind.empty())
    return behind;
  StringRef code;
  size_t best = 0;
  for (const ErrorPage &page : errorPages())
    for (StringRef pattern : page.says)
      if (size_t said = fit(pattern, message); said > best) {
        best = said;
        code = page.code;
      }
  return code;
}

} // namespace strata::frontend
