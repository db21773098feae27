// strata-dist-provider contract BYTES [LIBRARY] | local RANKS | fault NAME DEADLINE
#include "test/unit/dist/Launched.h"

int main(int count, char **arguments) {
  const std::string what = count > 2 ? arguments[1] : "";
  const std::string last = count > 3 ? arguments[3] : "";
  if (what == "contract")
    return strata::test::runContract(std::atoll(arguments[2]), last);
  if (what == "local")
    return strata::test::runLocalContract(std::atoi(arguments[2]));
  if (what == "fault")
    return strata::test::runFault(arguments[2], std::atof(last.c_str()));
  std::fprintf(stderr, "contract BYTES [LIBRARY] | local RANKS | fault NAME DEADLINE\n");
  return 2;
}
