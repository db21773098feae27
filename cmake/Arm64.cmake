# Compiles Strata for ARM64 on another machine: clang's other target, and the libraries of Debian's
# arm64 packages in a folder of their own (`./dev build arm64` fills it). What runs while building or
# testing runs under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

set(STRATA_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build-arm64/sysroot CACHE PATH
  "The folder with Debian's arm64 packages")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES STRATA_SYSROOT)
cmake_path(ABSOLUTE_PATH STRATA_SYSROOT NORMALIZE OUTPUT_VARIABLE CMAKE_SYSROOT)

set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# Programs are this machine's; everything else is the target's.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

find_program(STRATA_EMULATOR NAMES qemu-aarch64-static qemu-aarch64)
if(STRATA_EMULATOR)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${STRATA_EMULATOR} -L ${CMAKE_SYSROOT})
endif()

set(Python_INCLUDE_DIR ${CMAKE_SYSROOT}/usr/include/python3.11 CACHE PATH "")

# This machine's compilers of MPI would say where its headers lie: there are no plugins for MPI.
set(STRATA_OPENMPI_INCLUDE "" CACHE PATH "")
set(STRATA_MPICH_INCLUDE "" CACHE PATH "")

# This machine's wrapper of HDF5's compiler would say where this machine's library lies.
set(HDF5_C_COMPILER_EXECUTABLE ${CMAKE_SYSROOT}/usr/bin/h5cc CACHE FILEPATH "")
