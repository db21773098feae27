# How Strata's targets are declared: one function for libraries without MLIR,
# one for libraries with it (system headers, a shared precompiled header).

# strata_precompile(NAME HEADER.h): an object library of nothing but the precompiled header
# cmake/precompiled/HEADER.h, which other targets reuse.
function(strata_precompile name header)
  set(source ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "" @ONLY)
  add_library(${name} OBJECT ${source})
  target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${header})
endfunction()

# Strata's own headers: the include path is the path in the repository.
function(strata_use_headers target)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}>
    $<INSTALL_INTERFACE:include>)
endfunction()

# A static library without MLIR (the runtime, the front end's parser): strata_plain_library(NAME
# file... [EXPORT set] [PRECOMPILED target]). Those that need LLVM are exported with the compiler.
function(strata_plain_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPORT;PRECOMPILED" "")
  if(NOT arg_EXPORT)
    set(arg_EXPORT StrataPlain)
  endif()
  if(NOT arg_PRECOMPILED)
    set(arg_PRECOMPILED strata_standard_headers)
  endif()
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  strata_use_headers(${name})
  target_precompile_headers(${name} REUSE_FROM ${arg_PRECOMPILED})
  install(TARGETS ${name} EXPORT ${arg_EXPORT})
endfunction()

# strata_unite(NAME [COUNT]): compiles the target's files a few at a time, as one unit each. For
# targets whose files are short beside the headers that they read: that halves the time of a first
# build. Units of COUNT files, otherwise 6: of many files, larger ones take less time together.
function(strata_unite name)
  set(count ${ARGN})
  if(NOT count)
    set(count 6)
  endif()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${STRATA_UNITE} UNITY_BUILD_BATCH_SIZE ${count})
endfunction()

# strata_unite_folder(NAME FOLDER COUNT): the same for the files of one folder alone, of an archive
# from which people link single files, with what these need.
function(strata_unite_folder name folder count)
  get_target_property(files ${name} SOURCES)
  list(FILTER files INCLUDE REGEX "^${folder}/")
  set(number 0)
  foreach(file ${files})
    math(EXPR group "${number} / ${count}")
    math(EXPR number "${number} + 1")
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${folder}${group})
  endforeach()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${STRATA_UNITE} UNITY_BUILD_MODE GROUP)
endfunction()

# Gives a target the headers of MLIR and its flags.
function(strata_use_mlir_headers target)
  strata_use_headers(${target})
  target_include_directories(${target} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  separate_arguments(definitions NATIVE_COMMAND ${LLVM_DEFINITIONS})
  target_compile_definitions(${target} PRIVATE ${definitions})
  add_dependencies(${target} strata_tablegen_headers)
endfunction()

# The same, and a precompiled header: with Strata's dialects for what is declared after them.
function(strata_use_mlir target)
  strata_use_mlir_headers(${target})
  if(TARGET strata_dialect_headers)
    target_precompile_headers(${target} REUSE_FROM strata_dialect_headers)
  else()
    target_precompile_headers(${target} REUSE_FROM strata_mlir_headers)
  endif()
endfunction()

# Where the headers of MLIR and LLVM lie when Strata is installed: on another machine, the folder that
# has its packages here is the root.
set(STRATA_INSTALLED_HEADERS ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
if(CMAKE_SYSROOT)
  list(TRANSFORM STRATA_INSTALLED_HEADERS REPLACE "^${CMAKE_SYSROOT}/" "/")
endif()

# The archives of LLVM and MLIR, of which a program gets what it uses.
add_library(strata_llvm_archives INTERFACE)
file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
if(NOT archives AND STRATA_STATIC_LLVM)
  message(STATUS "LLVM and MLIR have no archives here: the programs take the shared libraries")
  set(STRATA_STATIC_LLVM OFF)
endif()
list(JOIN archives "," archives)
target_link_libraries(strata_llvm_archives INTERFACE "$<LINK_GROUP:RESCAN,${archives}>")
# What runs when a program starts, of all objects, lies together: a tenth less is read into memory.
target_link_options(strata_llvm_archives INTERFACE LINKER:--gc-sections
  LINKER:-z,keep-text-section-prefix)

# strata_link_llvm(NAME library...): these shared libraries, or the archives in programs with the
# property STRATA_STATIC_LLVM, which start in a third of the time and take a third of the memory.
# Tests, which are linked often, and projects elsewhere take the shared ones.
function(strata_link_llvm name)
  set(static "$<BOOL:$<TARGET_PROPERTY:STRATA_STATIC_LLVM>>")
  target_link_libraries(${name} PUBLIC
    "$<BUILD_INTERFACE:$<IF:${static},strata_llvm_archives,${ARGN}>>" "$<INSTALL_INTERFACE:${ARGN}>")
endfunction()

# A static library on MLIR.
function(strata_mlir_library name)
  add_library(${name} STATIC ${ARGN})
  strata_use_mlir(${name})
  strata_link_llvm(${name} MLIR LLVM)
  target_include_directories(${name} SYSTEM INTERFACE
    "$<INSTALL_INTERFACE:${STRATA_INSTALLED_HEADERS}>")
  install(TARGETS ${name} EXPORT StrataCompiler)
endfunction()

# An installed program on MLIR.
function(strata_tool name)
  add_executable(${name} ${ARGN})
  strata_use_mlir(${name})
  set_target_properties(${name} PROPERTIES STRATA_STATIC_LLVM ${STRATA_STATIC_LLVM})
  install(TARGETS ${name})
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
    mlir_tablegen(${output} ${options} EXTRA_INCLUDES ${PROJECT_SOURCE_DIR} ${MLIR_INCLUDE_DIRS})
  endwhile()
  file(RELATIVE_PATH id ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  string(REPLACE "/" "_" id ${id})
  add_custom_target(tablegen_${id} DEPENDS ${TABLEGEN_OUTPUT})
  add_dependencies(strata_tablegen_headers tablegen_${id})
endfunction()

# strata_embed(FOLDER file...): file.inc, in the build folder, has the text of FOLDER/file as a literal
# of C++; `embedded` lists these.
function(strata_embed folder)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake)
  set(embedded "")
  foreach(file ${ARGN})
    set(input ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${file})
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${file}.inc)
    add_custom_command(OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -P ${script}
      DEPENDS ${input} ${script} VERBATIM)
    list(APPEND embedded ${output})
  endforeach()
  set(embedded ${embedded} PARENT_SCOPE)
endfunction()
