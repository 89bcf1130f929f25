# knead_room(NAME SOURCES ... LINKS ...)
#
# A room is one folder under src/knead and one object library knead_NAME, which uses other rooms as the plan of the
# house says; the rooms of a component together make one library that is installed. LINKS names outside libraries
# (PRIVATE_LINKS: those that no header of the room mentions; HEADERS: those of them that are headers alone, which
# nobody who links the library needs).
include(KneadHouse)

# Warnings for our own code only; outside headers come in as SYSTEM. In a unity build a variable may well be called
# like something in another file.
add_library(knead_warnings INTERFACE)
target_compile_options(knead_warnings INTERFACE
  -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow> -Wconversion -Wno-sign-conversion
  $<$<BOOL:${KNEAD_WERROR}>:-Werror>)

# Results must not depend on which instructions the compiler happens to fuse.
add_library(knead_numerics INTERFACE)
target_compile_options(knead_numerics INTERFACE -ffp-contract=off)
if(NOT KNEAD_AVX2)
  target_compile_definitions(knead_numerics INTERFACE KNEAD_PLAIN_KERNELS)
endif()

# Reading the outside headers takes most of a small file's compile time, so each kind of target reads them once
# (release: 7 s to 2 s a file). Our own headers stay out: a change to one rebuilds only what includes it.
# The debug and tidy builds go without, so that a missing #include is found.
set(KNEAD_OUTSIDE_HEADERS <Eigen/Core> <Eigen/Geometry> <Eigen/SparseCore> <fmt/format.h> <algorithm> <array> <cmath>
  <filesystem> <functional> <map> <memory> <numbers> <numeric> <optional> <set> <span> <string> <vector>)

# knead_precompiled(TARGET GROUP [HEADER ...] [LIBRARY ...]): TARGET reads the outside headers, and HEADER of LIBRARY,
# precompiled once for all targets of GROUP, which must be of one kind (library or program). They all get fmt, whose settings are
# part of what is precompiled.
function(knead_precompiled target group)
  cmake_parse_arguments(MORE "" "HEADER;LIBRARY" "" ${ARGN})
  get_target_property(type ${target} TYPE)
  set(owner knead_precompiled_${group})
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${owner}.cpp CONTENT "int main() {}\n")
    if(type STREQUAL "EXECUTABLE")
      add_executable(${owner} EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/${owner}.cpp)
    else()
      add_library(${owner} OBJECT ${PROJECT_BINARY_DIR}/${owner}.cpp)
    endif()
    target_link_libraries(${owner} PRIVATE Eigen3::Eigen fmt::fmt ${MORE_LIBRARY} knead_warnings knead_numerics)
    target_precompile_headers(${owner} PRIVATE ${KNEAD_OUTSIDE_HEADERS} ${MORE_HEADER})
  endif()
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:fmt::fmt>)
  target_precompile_headers(${target} REUSE_FROM ${owner})
  # For ccache, which would read all headers again otherwise.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

function(knead_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINKS;PRIVATE_LINKS;HEADERS" ${ARGN})
  add_library(knead_${name} OBJECT ${ROOM_SOURCES})
  target_include_directories(knead_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Rooms below a room are in its target.
  set(ROOM_USES ${uses_${name}})
  foreach(room IN LISTS knead_rooms)
    if(room MATCHES "^${name}/")
      list(APPEND ROOM_USES ${uses_${room}})
    endif()
  endforeach()
  list(FILTER ROOM_USES EXCLUDE REGEX "^${name}(/|$)")
  list(REMOVE_DUPLICATES ROOM_USES)
  list(TRANSFORM ROOM_USES PREPEND knead_)
  target_link_libraries(knead_${name}
    PUBLIC ${ROOM_USES} ${ROOM_LINKS}
    PRIVATE ${ROOM_PRIVATE_LINKS} ${ROOM_HEADERS} $<BUILD_INTERFACE:knead_warnings> $<BUILD_INTERFACE:knead_numerics>)
  knead_precompiled(knead_${name} rooms)
  set_property(TARGET knead_${name} PROPERTY KNEAD_LINKS ${ROOM_LINKS})
  set_property(TARGET knead_${name} PROPERTY KNEAD_PRIVATE_LINKS ${ROOM_PRIVATE_LINKS})
endfunction()
