# `cmake --install` gives headers, the library, the program and a package that find_package(Knead) finds.
include(CMakePackageConfigHelpers)
include(KneadInternalHeaders)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Knead)
install(TARGETS knead EXPORT KneadTargets)
install(DIRECTORY src/knead TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp"
  REGEX "${knead_internal_headers}$" EXCLUDE)
install(EXPORT KneadTargets NAMESPACE Knead:: DESTINATION ${package_dir})
configure_package_config_file(cmake/KneadConfig.cmake.in KneadConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(KneadConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/KneadConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/KneadConfigVersion.cmake cmake/FindMETIS.cmake
  DESTINATION ${package_dir})
install(FILES LICENSE TYPE DOC)
