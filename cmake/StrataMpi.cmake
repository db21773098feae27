# The plugins that send messages by MPI: one source, compiled for each binary interface of which this
# machine has the header. None is needed to build, and none is loaded before it is asked for.

# strata_mpi_plugin(NAME FOLDER [DEFINITION...]): lib/strata/NAME.so, with the header of that folder.
function(strata_mpi_plugin name folder)
  string(REPLACE "-" "_" target strata_plugin_${name})
  add_library(${target} MODULE ${PROJECT_SOURCE_DIR}/strata/runtime/dist/Mpi.c)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(${target} SYSTEM PRIVATE ${folder})
  target_compile_definitions(${target} PRIVATE STRATA_MPI_NAME="${name}" ${ARGN})
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} C_STANDARD 11 C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/strata)
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/strata)
  add_dependencies(strata_plugins ${target})
  set(STRATA_PLUGINS ${STRATA_PLUGINS} ${name} PARENT_SCOPE)
endfunction()

# strata_mpi_header(VARIABLE MARK PROGRAM...): the folder of an mpi.h that has this mark. The compilers
# of MPI name the folders of their own headers.
function(strata_mpi_header variable mark)
  if(DEFINED ${variable} AND NOT ${variable} MATCHES NOTFOUND)
    return() # given, or found before
  endif()
  set(found ${variable}-NOTFOUND)
  foreach(name ${ARGN})
    find_program(compiler ${name} NO_CACHE)
    if(NOT compiler)
      continue()
    endif()
    execute_process(COMMAND ${compiler} -show OUTPUT_VARIABLE command ERROR_QUIET)
    unset(compiler)
    string(REGEX MATCHALL "-I[^ \n]+" folders "${command}")
    foreach(folder ${folders} -I/usr/include)
      string(SUBSTRING ${folder} 2 -1 folder)
      if(NOT found AND EXISTS ${folder}/mpi.h)
        file(STRINGS ${folder}/mpi.h lines REGEX "define +${mark}" LIMIT_COUNT 1)
        if(lines)
          set(found ${folder})
        endif()
      endif()
    endforeach()
  endforeach()
  set(${variable} ${found} CACHE PATH "The folder of the mpi.h for ${mark}; empty: no such plugin" FORCE)
endfunction()

strata_mpi_header(STRATA_OPENMPI_INCLUDE OPEN_MPI mpicc.openmpi mpicc)
strata_mpi_header(STRATA_MPICH_INCLUDE MPICH_VERSION mpicc.mpich mpicc)
find_path(STRATA_MPI_ABI_INCLUDE mpi_abi.h)
add_custom_target(strata_plugins)
set(STRATA_PLUGINS)
if(STRATA_OPENMPI_INCLUDE)
  strata_mpi_plugin(openmpi ${STRATA_OPENMPI_INCLUDE})
endif()
if(STRATA_MPICH_INCLUDE)
  strata_mpi_plugin(mpich ${STRATA_MPICH_INCLUDE})
endif()
if(STRATA_MPI_ABI_INCLUDE)
  strata_mpi_plugin(mpi-abi ${STRATA_MPI_ABI_INCLUDE} STRATA_MPI_STANDARD_ABI)
endif()
list(JOIN STRATA_PLUGINS ", " plugins)
if(NOT plugins)
  set(plugins none)
endif()
message(STATUS "Plugins for MPI: ${plugins}")

# The plugin's source as one text, with its own header in it, for `strata ranks --source`.
set(dist ${PROJECT_SOURCE_DIR}/strata/runtime/dist)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${dist}/Provider.h ${dist}/Mpi.c)
file(READ ${dist}/Provider.h header)
file(READ ${dist}/Mpi.c STRATA_PLUGIN_SOURCE)
string(REPLACE "#include \"strata/runtime/dist/Provider.h\"\n" "${header}\n" STRATA_PLUGIN_SOURCE
  "${STRATA_PLUGIN_SOURCE}")
configure_file(${dist}/PluginSource.cpp.in ${PROJECT_BINARY_DIR}/strata/runtime/dist/PluginSource.cpp @ONLY)
