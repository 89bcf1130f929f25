# The doors of the house: the headers that users include. Only they are installed, and what they include in turn, which
# tests/house keeps small. Everything else may change at any time. docs/library.md has an example of each.
set(doors_of_core
  knead.hpp # the doors of core and simulate
  base/error.hpp base/parallel.hpp base/warning.hpp
  mesh/check.hpp mesh/primitives.hpp mesh/triangle_mesh.hpp
  spatial/penetration.hpp
  rig/skinning.hpp
  deform/deform.hpp)
set(doors_of_simulate dynamics/simulation.hpp implicit/solid_simulation.hpp)
set(doors_of_io io/cache.hpp io/mesh_file.hpp)
set(doors_of_render render/render.hpp)
set(doors_of_scene scene/run/run.hpp)

# knead_behind(FOLDER DOOR RESULT): the headers of Knead that a header includes, and what those include, sorted, all
# relative to FOLDER (src/knead).
function(knead_behind folder door result)
  set(found)
  set(next ${door})
  while(next)
    list(POP_FRONT next header)
    file(STRINGS ${folder}/${header} lines REGEX "^#include \"knead/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ".*\"knead/(.*)\".*" "\\1" name "${line}")
      if(NOT name IN_LIST found)
        list(APPEND found ${name})
        list(APPEND next ${name})
      endif()
    endforeach()
  endwhile()
  list(SORT found)
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# knead_public_headers(FOLDER RESULT): all doors, and what is behind them.
function(knead_public_headers folder result)
  set(all)
  foreach(component IN LISTS knead_components)
    foreach(door IN LISTS doors_of_${component})
      knead_behind(${folder} ${door} behind)
      list(APPEND all ${door} ${behind})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES all)
  list(SORT all)
  set(${result} "${all}" PARENT_SCOPE)
endfunction()
