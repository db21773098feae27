// What a run of a program or of a function has given.
#ifndef STRATA_API_OUTCOME_H
#define STRATA_API_OUTCOME_H

#include "strata/api/Handles.h"

struct strata_outcome {
  std::string printed;
  std::vector<std::string> names;
  std::vector<strata::api::Handle<strata_tensor>> tensors;
};

#endif // STRATA_API_OUTCOME_H
