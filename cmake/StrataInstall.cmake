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
  ${PROJECT_BINARY_DIR}/StrataConfigVersion.cmake DESTINATION ${package})
foreach(part Plain Compiler)
  install(EXPORT Strata${part} NAMESPACE Strata:: FILE Strata${part}.cmake DESTINATION ${package})
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/strata ${PROJECT_BINARY_DIR}/strata
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.h PATTERN *.td PATTERN *.inc PATTERN *.def
  PATTERN CMakeFiles EXCLUDE PATTERN Precompiled.h EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
