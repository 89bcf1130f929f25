# knead_room(NAME SOURCES ... USES ... LINKS ...)
#
# A room is one folder under src/knead and one object library knead_NAME; the rooms together make the one
# library that is installed. USES names other rooms, LINKS names outside libraries (PRIVATE_LINKS: those
# that no header of the room mentions).
set_property(GLOBAL PROPERTY KNEAD_ROOMS "")

# Warnings for our own code only; outside headers come in as SYSTEM.
add_library(knead_warnings INTERFACE)
target_compile_options(knead_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<BOOL:${KNEAD_WERROR}>:-Werror>)

# Results must not depend on which instructions the compiler happens to fuse.
add_library(knead_numerics INTERFACE)
target_compile_options(knead_numerics INTERFACE -ffp-contract=off)

function(knead_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(knead_${name} OBJECT ${ROOM_SOURCES})
  target_include_directories(knead_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM ROOM_USES PREPEND knead_)
  target_link_libraries(knead_${name}
    PUBLIC ${ROOM_USES} ${ROOM_LINKS}
    PRIVATE ${ROOM_PRIVATE_LINKS} $<BUILD_INTERFACE:knead_warnings> $<BUILD_INTERFACE:knead_numerics>)
  set_property(GLOBAL APPEND PROPERTY KNEAD_ROOMS ${name})
  set_property(GLOBAL APPEND PROPERTY KNEAD_LINKS ${ROOM_LINKS})
  set_property(GLOBAL APPEND PROPERTY KNEAD_PRIVATE_LINKS ${ROOM_PRIVATE_LINKS})
endfunction()
