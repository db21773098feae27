// How much a test takes of what can be enumerated.
#ifndef STRATA_TEST_GENERATOR_SHARE_H
#define STRATA_TEST_GENERATOR_SHARE_H

#include <cstdlib>
#include <string_view>

namespace strata::test {

/// `few`: for the sanitizers, which take three to ten times as long and look for other mistakes
/// than a comparison does. `some`: the default run. `most`: the long run, all but three quarters of
/// the pairs of formats. `all`: these too, which takes an hour.
enum class Share { few, some, most, all };

/// Tells whether a run takes what `share` takes: STRATA_SHARE says it by one of these words.
inline bool takes(Share share) {
  const char *given = std::getenv("STRATA_SHARE");
  std::string_view word = given ? given : "some";
  Share wanted = word == "few"    ? Share::few
                 : word == "most" ? Share::most
                 : word == "all"  ? Share::all
                                  : Share::some;
  return share <= wanted;
}

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_SHARE_H
