# Installs Strata, builds the projects in this folder against it and compares what they print.
# Called with BUILD (Strata's build folder), WORK (where to put things), GENERATOR, COMPILER, FLAGS
# (the sanitizers' if there are any), MATRIX (a file).

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

# check(PROJECT TEXT): the project in the folder prints just this.
function(check project expected)
  set(folder ${WORK}/${project})
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${project} -B ${folder} -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}")
  run(${CMAKE_COMMAND} --build ${folder})
  run(${folder}/consumer ${MATRIX})
  if(NOT text STREQUAL expected)
    message(FATAL_ERROR "${project} printed\n${text}instead of\n${expected}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${WORK}/prefix/bin/strata --version)
check(runtime "3 entries\n")
check(compiler "y =\n  6\n  6\n3: 42\n")
