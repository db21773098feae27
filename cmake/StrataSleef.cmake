# SLEEF: element functions of vectors. The functions that kernels call become a list of
# FUNCTION(name), which the compiler links and gives kernels the addresses of.

find_path(STRATA_SLEEF_INCLUDE sleef.h REQUIRED)
find_library(STRATA_SLEEF_LIBRARY sleef REQUIRED)
execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-nm --dynamic --defined-only --extern-only
  --format=just-symbols ${STRATA_SLEEF_LIBRARY}
  OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
# Those within 1 ulp whose bits do not depend on the width of a vector.
set(instructions "purec|purecfma|sse2|avx|avx2128|avx2|avx512f|advsimd")
string(REGEX MATCHALL "(^|\n)Sleef_(finz|cinz)_[a-z0-9]+_u10(${instructions})\n" names "${names}\n")
list(TRANSFORM names STRIP)
list(SORT names)
list(TRANSFORM names REPLACE "(.+)" "FUNCTION(\\1)\n")
string(CONCAT names ${names})
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/strata/target/cpu/ElementFunctions.inc
  CONTENT "${names}" @ONLY)
