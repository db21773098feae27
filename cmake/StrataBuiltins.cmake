# The functions that generated code calls where the processor lacks an instruction: conversions of
# 16-bit floating-point numbers, division of 128-bit integers, and so on. They are compiler-rt's,
# which LLVM's code generation takes for granted; the runtime brings them (strata/runtime), so that
# kernels need no other library, whichever compiler links them.

find_program(STRATA_CLANG NAMES clang clang-${LLVM_VERSION_MAJOR} HINTS ${LLVM_TOOLS_BINARY_DIR}
  NO_DEFAULT_PATH REQUIRED)
set(resources)
if(CMAKE_CROSSCOMPILING)
  execute_process(COMMAND ${STRATA_CLANG} -print-resource-dir
    OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(resources --target=${CMAKE_C_COMPILER_TARGET} -resource-dir=${CMAKE_SYSROOT}${folder})
endif()
execute_process(COMMAND ${STRATA_CLANG} ${resources} --rtlib=compiler-rt -print-libgcc-file-name
  OUTPUT_VARIABLE STRATA_BUILTINS_ARCHIVE OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${STRATA_BUILTINS_ARCHIVE})
  message(FATAL_ERROR "No compiler-rt of LLVM ${LLVM_VERSION_MAJOR} (${STRATA_BUILTINS_ARCHIVE}); "
    "on Debian: libclang-rt-${LLVM_VERSION_MAJOR}-dev")
endif()

# Members that manage the process, or find out what its processor has, instead of computing stay with
# the compiler that links it.
string(CONCAT others "^(aarch64|apple|clear_cache|emupac|emutls|enable_execute_stack|eprintf"
  "|gcc_personality|os_version|outline_atomic|sme|trampoline|x86)")
execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-ar t ${STRATA_BUILTINS_ARCHIVE}
  OUTPUT_VARIABLE members COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" members "${members}")
list(FILTER members EXCLUDE REGEX ${others})
list(SORT members)
set(folder ${PROJECT_BINARY_DIR}/builtins)
file(MAKE_DIRECTORY ${folder})
execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-ar x ${STRATA_BUILTINS_ARCHIVE} ${members}
  WORKING_DIRECTORY ${folder} COMMAND_ERROR_IS_FATAL ANY)
list(TRANSFORM members PREPEND ${folder}/ OUTPUT_VARIABLE STRATA_BUILTIN_OBJECTS)

# CompilerBuiltins.inc: BUILTIN(name) for each function in them.
execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-nm --defined-only --extern-only
  --format=just-symbols ${STRATA_BUILTIN_OBJECTS}
  OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)__[a-z0-9_]+" names "${names}")
list(TRANSFORM names STRIP)
list(SORT names)
list(REMOVE_DUPLICATES names)
list(TRANSFORM names REPLACE "(.+)" "BUILTIN(\\1)\n")
string(CONCAT names ${names})
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/strata/target/cpu/CompilerBuiltins.inc
  CONTENT "${names}" @ONLY)
