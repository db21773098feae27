// Errors of TAPP in words.
#include "strata/api/tapp/Errors.h"

#include <algorithm>
#include <cstring>
#include <string>

using namespace strata::tapp;

static const char *const texts[] = {
    "success",
    "an index has different extents in A and in B",
    "an index has different extents in A and in D",
    "an index has different extents in B and in D",
    "D has an index that neither A nor B has",
    "C and D have different numbers of modes",
    "C and D have different indices",
    "an index has different extents in C and in D",
    "two elements of D share their memory",
    "an index has different extents in A",
    "an index has different extents in B",
    "an index has different extents in D",
    "C is null, but beta is not zero",
    "a number of modes is negative",
    "an extent is negative",
    "an argument is null",
    "there is no such data type",
    "there is no such precision",
    "there is no such operation on elements",
    "this is no object that the library has made, or it has been destroyed",
    "there is no such attribute",
    "a tensor has more elements than 64 bits count",
    "there is not enough memory",
};

static thread_local std::string lastOfStrata;

TAPP_error strata::tapp::errorOf(strata_error *error) {
  if (!error)
    return Success;
  TAPP_error number = ofStrata + strata_error_kind(error);
  lastOfStrata = strata_error_message(error);
  if (const char *hint = strata_error_hint(error); *hint)
    lastOfStrata.append("; ").append(hint);
  strata_error_free(error);
  return number;
}

bool TAPP_check_success(TAPP_error error) { return error == Success; }

size_t TAPP_explain_error(TAPP_error error, size_t maxlen, char *message) {
  std::string text = "there is no such error";
  if (error >= 0 && error < TAPP_error(std::size(texts)))
    text = texts[error];
  else if (error > ofStrata && error - ofStrata <= STRATA_ERROR_RANKS)
    text = lastOfStrata.empty() ? "an error of Strata" : lastOfStrata;
  if (maxlen == 0 || !message)
    return maxlen == 0 ? text.size() : 0;
  size_t written = std::min(maxlen - 1, text.size());
  std::memcpy(message, text.data(), written);
  message[written] = 0;
  return written;
}
