# The compiler's flags for all of Strata's own code.

add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
                    -Wall -Wextra -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  # A precompiled header without its time stamp is one that ccache can share.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
if(NOT STRATA_ASSERTIONS)
  add_compile_definitions(NDEBUG)
endif()

# What tells one build from another, among other things where compiled kernels are kept.
add_link_options(-Wl,--build-id=sha1)

# Shared libraries have a C++ library of their own, so that any other can be loaded beside it, and
# leave nothing undefined; under the sanitizers, whose runtime stands in the program, neither.
set(STRATA_SELF_CONTAINED -static-libstdc++ LINKER:-z,defs)
if(STRATA_SANITIZE)
  set(STRATA_SELF_CONTAINED)
  # libMLIR and libLLVM are not instrumented; `vptr` would need type information that they hide.
  add_compile_options(-fsanitize=${STRATA_SANITIZE} -fno-sanitize=vptr
                      -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${STRATA_SANITIZE})
endif()
if(STRATA_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
