// Has the files of the page as literals.
#include "serve/Assets.h"

#include "strata/Version.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/page/ExplanationPage.h"
#include "strata/page/Markup.h"

using llvm::StringRef;

namespace strata::tool {

static const char pageText[] =
#include "Serve.html.inc"
    ;
static const char styleText[] =
#include "Serve.css.inc"
    ;
static const char scriptText[] =
#include "Serve.js.inc"
    ;

static HttpResponse asset(StringRef type, std::string body) {
  return {.status = 200,
          .type = (type + "; charset=utf-8").str(),
          .body = std::move(body),
          .isPage = true};
}

std::optional<HttpResponse> assetAt(StringRef path) {
  if (path == "/") {
    auto [before, behind] = StringRef(pageText).split("@VERSION@");
    return asset("text/html", (before + STRATA_VERSION + behind).str());
  }
  if (path == "/page.css")
    return asset("text/css", page::styleSheet().str() + styleText);
  if (path == "/page.js")
    return asset("text/javascript", scriptText);
  return std::nullopt;
}

} // namespace strata::tool
