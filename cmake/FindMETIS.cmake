# Finds METIS 5, which comes without a CMake package: METIS::METIS, METIS_VERSION.
find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)

if(METIS_INCLUDE_DIR)
  file(STRINGS ${METIS_INCLUDE_DIR}/metis.h version_lines
    REGEX "#define METIS_VER_(MAJOR|MINOR|SUBMINOR)")
  set(METIS_VERSION "")
  foreach(line IN LISTS version_lines)
    if(line MATCHES "([0-9]+)[ \t]*$")
      list(APPEND METIS_VERSION ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(JOIN METIS_VERSION "." METIS_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(METIS
  REQUIRED_VARS METIS_LIBRARY METIS_INCLUDE_DIR VERSION_VAR METIS_VERSION)

if(METIS_FOUND AND NOT TARGET METIS::METIS)
  add_library(METIS::METIS UNKNOWN IMPORTED)
  set_target_properties(METIS::METIS PROPERTIES
    IMPORTED_LOCATION ${METIS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${METIS_INCLUDE_DIR})
endif()
