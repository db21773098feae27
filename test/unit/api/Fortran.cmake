# Compiles the Fortran example and compares what it prints. Called with FORTRAN (a compiler), SOURCE,
# LIBRARIES (the folder with libstrata.so) and WORK (where to put things).
if(NOT FORTRAN)
  message("there is no gfortran")
  return()
endif()
execute_process(COMMAND ${FORTRAN} -std=f2018 -Wall -Werror -J${WORK} ${SOURCE} -L${LIBRARIES}
  -lstrata -Wl,-rpath,${LIBRARIES} -o ${WORK}/library-f90 COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/library-f90 OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
if(NOT text STREQUAL "3.0\n3.0\n")
  message(FATAL_ERROR "the Fortran example printed\n${text}")
endif()
