# `cmake --install` gives headers, the libraries, the program and a package that find_package(Knead COMPONENTS ...) finds.
include(CMakePackageConfigHelpers)
include(KneadInternalHeaders)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Knead)
install(DIRECTORY src/knead TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp"
  REGEX "${knead_internal_headers}$" EXCLUDE)
foreach(component IN LISTS knead_components)
  install(TARGETS knead_${component}_component EXPORT Knead-${component})
  install(EXPORT Knead-${component} NAMESPACE Knead:: DESTINATION ${package_dir})
endforeach()
install(TARGETS knead_c EXPORT Knead-c)
install(EXPORT Knead-c NAMESPACE Knead:: DESTINATION ${package_dir})
install(FILES capi/knead.h TYPE INCLUDE)
configure_package_config_file(cmake/KneadConfig.cmake.in KneadConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(KneadConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/KneadConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/KneadConfigVersion.cmake cmake/FindMETIS.cmake cmake/KneadHouse.cmake
  DESTINATION ${package_dir})
install(FILES LICENSE TYPE DOC)
