# `cmake --install` gives headers, the libraries, the program and a package that find_package(Knead COMPONENTS ...) finds.
include(CMakePackageConfigHelpers)
include(KneadDoors)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Knead)
knead_public_headers(${CMAKE_CURRENT_SOURCE_DIR}/src/knead public_headers)
foreach(header IN LISTS public_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/knead/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/knead/${folder})
  # Which headers are behind a door may change with what they include.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/knead/${header})
endforeach()
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
