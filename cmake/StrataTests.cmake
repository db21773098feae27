# How tests are declared. Everything that tests is a ctest entry; an entry that ends with status 77
# counts as skipped. Entries under the configuration "Long" run only by `ctest -C Long`.

# The interpreter of the Python tests and checks: one that has NumPy, SciPy and h5py, Debian's first.
if(NOT STRATA_PYTHON)
  find_program(path_python python3)
  foreach(candidate /usr/bin/python3 ${path_python})
    execute_process(COMMAND ${candidate} -c "import numpy, scipy, h5py" RESULT_VARIABLE missing
                    OUTPUT_QUIET ERROR_QUIET)
    if(missing EQUAL 0)
      set(STRATA_PYTHON ${candidate} CACHE FILEPATH "A Python 3 with NumPy, SciPy and h5py")
      break()
    endif()
  endforeach()
  unset(path_python CACHE)
  if(NOT STRATA_PYTHON)
    message(FATAL_ERROR "No Python 3 with NumPy, SciPy and h5py; on Debian: python3-numpy python3-scipy python3-h5py")
  endif()
endif()

# The interpreter that loads the Python package, which is the target's.
set(STRATA_PACKAGE_PYTHON ${STRATA_PYTHON})
if(CMAKE_CROSSCOMPILING)
  set(STRATA_PACKAGE_PYTHON PYTHONHOME=${CMAKE_SYSROOT}/usr ${CMAKE_CROSSCOMPILING_EMULATOR}
    ${CMAKE_SYSROOT}/usr/bin/python3)
endif()

# strata_test(NAME COMMAND...): one ctest entry.
function(strata_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  strata_test_properties(${name})
endfunction()

# strata_long_test(NAME COMMAND...): one that only `ctest -C Long` runs.
function(strata_long_test name)
  add_test(NAME ${name} COMMAND ${ARGN} CONFIGURATIONS Long)
  strata_test_properties(${name})
endfunction()

# strata_replaced_test(NAME): the entries of the long run do more of what this one does, so that the
# long run leaves it out.
function(strata_replaced_test name)
  set_tests_properties(${name} PROPERTIES LABELS replaced)
endfunction()

# Containers cross between our instrumented code and the libraries, which are not. No settings of
# whoever runs the tests count.
function(strata_test_properties name)
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT
    "ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0;UBSAN_OPTIONS=print_stacktrace=1;STRATA_CONFIG=")
endfunction()

# strata_unit_test(NAME SOURCES file... LINK library... [MLIR]): a GoogleTest program and its entry.
# MLIR gives it MLIR's headers and libraries.
function(strata_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MLIR" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  if(arg_MLIR)
    strata_use_mlir(${name})
    target_link_libraries(${name} PRIVATE MLIR LLVM)
  else()
    strata_use_headers(${name})
  endif()
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gmock GTest::gtest GTest::gtest_main)
  strata_test(unit.${name} ${name})
endfunction()

# strata_fuzzer(NAME SOURCES file... LINK library... SEEDS folder): a libFuzzer program, and an entry
# of the long run that draws for a minute from the seeds, which stand in the repository. Without
# STRATA_FUZZERS it is compiled alone, so that it keeps up with what it calls.
function(strata_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MLIR" "SEEDS" "SOURCES;LINK")
  if(STRATA_FUZZERS)
    add_executable(${name} ${arg_SOURCES})
  else()
    add_library(${name} OBJECT ${arg_SOURCES})
  endif()
  if(arg_MLIR)
    strata_use_mlir(${name})
  else()
    strata_use_headers(${name})
  endif()
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  if(NOT STRATA_FUZZERS)
    return()
  endif()
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set(corpus ${CMAKE_BINARY_DIR}/corpus/${name})
  file(MAKE_DIRECTORY ${corpus})
  strata_long_test(fuzz.${name} ${name} -max_total_time=60 -timeout=10 -rss_limit_mb=2048
    -print_final_stats=1 -artifact_prefix=${corpus}- ${corpus} ${arg_SEEDS})
endfunction()
