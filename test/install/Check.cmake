# Installs Strata, builds the projects in this folder against it and compares what they print.
# Called with BUILD (Strata's build folder), WORK (where to put things), GENERATOR, COMPILER, FLAGS
# (the sanitizers' if there are any), MATRIX (a file), PAGE (docs/LevelFormats.md).

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

# code(PAGE FILE): writes the C++ of a page to a file, exactly as it stands there.
function(code page file)
  file(READ ${page} text)
  string(FIND "${text}" "```cpp\n" begin)
  math(EXPR begin "${begin} + 7")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "```\n" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  file(WRITE ${file} "${text}")
endfunction()

# check(PROJECT TEXT OPTION...): the project in the folder prints just this.
function(check project expected)
  set(folder ${WORK}/${project})
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${project} -B ${folder} -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}"
    ${ARGN})
  run(${CMAKE_COMMAND} --build ${folder})
  run(${folder}/consumer ${MATRIX})
  if(NOT text STREQUAL expected)
    message(FATAL_ERROR "${project} printed\n${text}instead of\n${expected}")
  endif()
endfunction()

# expect(TEXT COMMAND...): the command prints just this.
function(expect expected)
  run(${ARGN})
  if(NOT text STREQUAL expected)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command} printed\n${text}instead of\n${expected}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${WORK}/prefix/bin/strata --version)
run(${WORK}/prefix/bin/strata manual)
file(READ ${WORK}/prefix/share/man/man1/strata.1 page)
if(NOT text STREQUAL page)
  message(FATAL_ERROR "the manual page that is installed is not that of the program")
endif()
# A program that is compiled ahead finds its library beside the compiler.
run(${CMAKE_COMMAND} -E env "CC=${COMPILER} ${FLAGS}" ${WORK}/prefix/bin/strata compile
  ${CMAKE_CURRENT_LIST_DIR}/../../examples/add.ta --quiet -o ${WORK}/add)
expect("largest = 78\n" ${WORK}/add)
foreach(file bash-completion/completions/strata zsh/site-functions/_strata
    fish/vendor_completions.d/strata.fish doc/Strata/THIRD_PARTY.md
    doc/Strata/THIRD_PARTY_LICENSES.txt)
  if(NOT EXISTS ${WORK}/prefix/share/${file})
    message(FATAL_ERROR "share/${file} is not installed")
  endif()
endforeach()
check(runtime "3 entries\n")
check(c "3\n3\n" -DSTRATA=${WORK}/prefix/bin/strata
  -DEXAMPLE=${CMAKE_CURRENT_LIST_DIR}/../../examples/spmv.c)
expect("3\n3\n" ${WORK}/c/other)
check(kernels "3\n3\n" -DEXAMPLE=${CMAKE_CURRENT_LIST_DIR}/../../examples/spmv.c)
expect("4\n8\n12\n" ${WORK}/kernels/other)
check(programs "y =
  106
  106
y =
  98.5
  98.5
10
20
30
")

# The shared library, found by CMake and by pkg-config. It cannot be loaded by programs that lack the
# sanitizers' libraries.
if(NOT FLAGS)
  set(expected "6
6
error: 'x' has 1 dimension, and is read with 2 indices
  y(i) = x(i,j)
         ^
")
  check(tapp "2 1\n4 3\n" -DEXAMPLE=${CMAKE_CURRENT_LIST_DIR}/../../examples/tapp.c)
  check(library "${expected}")
  check(library "${expected}" -DEVERYTHING=ON)
  find_program(PKG_CONFIG pkg-config)
  if(PKG_CONFIG)
    file(GLOB_RECURSE description ${WORK}/prefix/strata_tapp.pc)
    run(${PKG_CONFIG} --cflags --libs ${description})
    separate_arguments(flags UNIX_COMMAND "${text}")
    run(${COMPILER} -x c ${CMAKE_CURRENT_LIST_DIR}/../../examples/tapp.c ${flags} -o ${WORK}/described)
    file(GLOB_RECURSE library ${WORK}/prefix/libstrata.so)
    cmake_path(GET library PARENT_PATH folder)
    expect("2 1\n4 3\n" ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${folder} ${WORK}/described)
    file(GLOB_RECURSE description ${WORK}/prefix/strata.pc)
    run(${PKG_CONFIG} --cflags --libs ${description})
    separate_arguments(flags UNIX_COMMAND "${text}")
    run(${COMPILER} -std=c++17 ${CMAKE_CURRENT_LIST_DIR}/library/Main.cpp ${flags} -o ${WORK}/described)
    file(GLOB_RECURSE library ${WORK}/prefix/libstrata.so)
    cmake_path(GET library PARENT_PATH folder)
    expect("${expected}" ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${folder} ${WORK}/described ${MATRIX})
  endif()
endif()
check(compiler "y =\n  6\n  6\n3: 42\n")
code(${PAGE} ${WORK}/Evens.cpp)
check(level
"sum =
  (0, 0)  1
  (0, 1)  10
  (0, 2)  22
  (1, 3)  30
  (2, 0)  3
  (2, 4)  4
product =
  (0, 0)  1
  (0, 2)  44
  (2, 0)  9
  (2, 4)  16
checked: 6 values compared, all of them, they agree
checked: 4 values compared, all of them, they agree
valid
error: level 2 (evens): the coordinate at position 3 is 6; expected from 0 to 5
error: a level of the format cannot hold a coordinate that is to be stored there
" -DLEVEL=${WORK}/Evens.cpp)
