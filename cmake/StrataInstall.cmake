# What `cmake --install` copies: programs, libraries, headers, and the files that answer
# find_package(Strata). The libraries are added where they are declared (StrataTargets.cmake).

include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Strata)
get_filename_component(STRATA_MLIR_PACKAGE ${MLIR_DIR} ABSOLUTE)
configure_package_config_file(cmake/StrataConfig.cmake.in ${PROJECT_BINARY_DIR}/StrataConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/StrataConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/StrataConfig.cmake
  ${PROJECT_BINARY_DIR}/StrataConfigVersion.cmake cmake/StrataKernels.cmake
  cmake/StrataPrograms.cmake DESTINATION ${package})
foreach(part Library Plain Compiler)
  install(EXPORT Strata${part} NAMESPACE Strata:: FILE Strata${part}.cmake DESTINATION ${package})
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/strata ${PROJECT_BINARY_DIR}/strata
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.h PATTERN *.hpp PATTERN *.td PATTERN *.inc PATTERN *.def
  PATTERN CMakeFiles EXCLUDE)
# The same for pkg-config, which finds the library wherever the folder is moved.
set(STRATA_PKGCONFIG ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY
  ${CMAKE_INSTALL_PREFIX}/${STRATA_PKGCONFIG} OUTPUT_VARIABLE STRATA_PREFIX_FROM_PKGCONFIG)
foreach(description strata strata_spblas strata_tapp)
  configure_file(cmake/${description}.pc.in ${PROJECT_BINARY_DIR}/${description}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${description}.pc DESTINATION ${STRATA_PKGCONFIG})
endforeach()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The libraries that Strata contains or loads, and their licences, which are those of this machine.
install(FILES ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(Python_EXECUTABLE)
  install(CODE "execute_process(COMMAND ${Python_EXECUTABLE} -B
    ${PROJECT_SOURCE_DIR}/cmake/third_party.py
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/THIRD_PARTY_LICENSES.txt\"
    COMMAND_ERROR_IS_FATAL ANY)")
endif()
# Descriptions of accelerators.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/accelerators DESTINATION ${CMAKE_INSTALL_DATADIR}/strata
  FILES_MATCHING PATTERN *.toml)
