# strata_add_kernels: kernels that Strata compiles become part of a target.

# strata_add_kernels(TARGET PROGRAM.ta... [OPTIONS option...])
# strata_add_kernels(TARGET NAME STATEMENT statement [OPTIONS option...])
#
# Compiles the statements of programs, or one statement, to an object file that is linked into the
# target, and to a header that the target's sources include as PROGRAM.h or NAME.h. The options are
# those of `strata emit`: -D N=64, --widths=32, -f=A:CSR, --cpu=x86-64-v3, ... The target also gets the
# runtime, which is written in C++: the project has CXX among its languages.
function(strata_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "STATEMENT" "OPTIONS")
  if(NOT TARGET Strata::strata_runtime)
    message(FATAL_ERROR "strata_add_kernels needs find_package(Strata COMPONENTS Runtime)")
  endif()
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "strata_add_kernels(${target}): no program and no statement")
  endif()
  foreach(given ${arg_UNPARSED_ARGUMENTS})
    if(arg_STATEMENT)
      set(name ${given})
      set(source ${arg_STATEMENT})
      set(depends)
    else()
      cmake_path(GET given STEM name)
      cmake_path(ABSOLUTE_PATH given OUTPUT_VARIABLE source)
      set(depends ${source})
    endif()
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}-kernels)
    file(MAKE_DIRECTORY ${folder})
    set(outputs)
    foreach(stage obj:o header:h)
      string(REGEX REPLACE ".*:" "${folder}/${name}." output ${stage})
      string(REGEX REPLACE ":.*" "" stage ${stage})
      add_custom_command(OUTPUT ${output}
        COMMAND ${STRATA_PROGRAM} emit --quiet --stage=${stage} ${source} ${arg_OPTIONS} -o ${output}
        DEPENDS ${depends} ${STRATA_PROGRAM} VERBATIM
        COMMENT "Strata compiles ${name} to ${output}")
      list(APPEND outputs ${output})
    endforeach()
    set_source_files_properties(${folder}/${name}.o PROPERTIES EXTERNAL_OBJECT TRUE)
    target_sources(${target} PRIVATE ${outputs})
    target_include_directories(${target} PRIVATE ${folder})
  endforeach()
  target_link_libraries(${target} PRIVATE Strata::strata_runtime)
endfunction()
