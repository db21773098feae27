# strata_add_programs: whole programs that Strata compiles become part of a target.

# strata_add_programs(TARGET PROGRAM.ta... [OPTIONS option...])
#
# Compiles each program to an object file that is linked into the target, and to a header that the
# target's sources include as PROGRAM.h: it declares PROGRAM_run, and a function for each def whose
# parameters declare element types and formats. The options are those of `strata compile`: -D N=64,
# --widths=64, --cpu=x86-64-v3, ... The target also gets the library of compiled programs. A program
# with half-precision numbers needs Strata::strata_runtime, too.
function(strata_add_programs target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS")
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "strata_add_programs(${target}): no program")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}-programs)
  file(MAKE_DIRECTORY ${folder})
  foreach(program ${arg_UNPARSED_ARGUMENTS})
    cmake_path(GET program STEM name)
    cmake_path(ABSOLUTE_PATH program OUTPUT_VARIABLE source)
    set(outputs ${folder}/${name}.o ${folder}/${name}.h)
    add_custom_command(OUTPUT ${outputs}
      COMMAND ${STRATA_PROGRAM} compile --quiet ${source} ${arg_OPTIONS} -o ${folder}/${name}.o
      DEPENDS ${source} ${STRATA_PROGRAM} VERBATIM
      COMMENT "Strata compiles ${name} to ${folder}/${name}.o")
    set_source_files_properties(${folder}/${name}.o PROPERTIES EXTERNAL_OBJECT TRUE)
    target_sources(${target} PRIVATE ${outputs})
  endforeach()
  target_include_directories(${target} PRIVATE ${folder})
  target_link_libraries(${target} PRIVATE Strata::strata_program)
endfunction()
