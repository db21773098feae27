# How Strata's targets are declared: one function for libraries without MLIR,
# one for libraries with it (system headers, the shared precompiled header).

add_compile_options(-fno-exceptions -Wall -Wextra -Wno-unused-parameter)
if(STRATA_SANITIZE)
  add_compile_options(-fsanitize=${STRATA_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${STRATA_SANITIZE})
endif()

# A static library without MLIR (the runtime, the front end's parser).
function(strata_plain_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
endfunction()

# Gives a target MLIR's headers, its flags and the shared precompiled header.
function(strata_use_mlir target)
  target_include_directories(${target} SYSTEM PRIVATE
    ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  separate_arguments(definitions NATIVE_COMMAND ${LLVM_DEFINITIONS})
  target_compile_definitions(${target} PRIVATE ${definitions})
  if(TARGET strata_pch)
    target_precompile_headers(${target} REUSE_FROM strata_pch)
  endif()
endfunction()

# A static library on MLIR.
function(strata_mlir_library name)
  add_library(${name} STATIC ${ARGN})
  strata_use_mlir(${name})
  target_link_libraries(${name} PUBLIC MLIR LLVM)
endfunction()

# Runs mlir-tblgen on FILE.td (in the current directory), once for each output:
# strata_tablegen(TaOps -gen-op-decls TaOps.h.inc -gen-op-defs TaOps.cpp.inc).
# The outputs join the target strata_tablegen_headers.
function(strata_tablegen file)
  set(LLVM_TARGET_DEFINITIONS ${file}.td)
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest options output)
    separate_arguments(options)
    mlir_tablegen(${output} ${options} EXTRA_INCLUDES ${PROJECT_SOURCE_DIR})
  endwhile()
  string(REPLACE "/" "_" id ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  add_custom_target(strata_tablegen${id} DEPENDS ${TABLEGEN_OUTPUT})
  add_dependencies(strata_tablegen_headers strata_tablegen${id})
endfunction()
