# The settings of the whole project that hold before any target exists: language, build types,
# where results go, ccache.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Programs and libraries share one precompiled header, so they must agree on -fPIC.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Development" FORCE)
endif()
# -DNDEBUG is STRATA_ASSERTIONS' business, not the build type's.
set(CMAKE_C_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_C_FLAGS_DEVELOPMENT "-O1 -gline-tables-only")
set(CMAKE_CXX_FLAGS_DEVELOPMENT "-O1 -gline-tables-only")

# ccache understands clang's precompiled headers only when told to trust their defines and times.
find_program(STRATA_CCACHE ccache)
if(STRATA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${STRATA_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${STRATA_CCACHE})
endif()

# Installed programs find the libraries that they were linked with (LLVM keeps its own apart).
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
