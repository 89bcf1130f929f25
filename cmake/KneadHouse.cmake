# The plan of the house. A room is a folder under src/knead; it may include headers of its own, of the rooms named here,
# and of what those may use, so there are no circles. The build links rooms by this plan, tests/house checks every
# #include against it, and docs/architecture.md shows it.
set(knead_rooms
  base mesh solve spatial rig io contact bulge deform dynamics implicit render
  scene/format scene/spec scene/read scene/load scene/judge
  scene/methods scene/methods/deform scene/methods/dynamics scene/methods/implicit scene/run scene/picture)

set(uses_base)
set(uses_mesh base)
set(uses_solve base)
set(uses_spatial mesh)
set(uses_rig mesh)
set(uses_io rig)
set(uses_contact spatial solve)
set(uses_bulge contact)
set(uses_deform contact bulge rig)
set(uses_dynamics spatial solve)
set(uses_implicit spatial dynamics)
set(uses_render mesh)
set(uses_scene io deform dynamics implicit render)

# Rooms below a room may use what that may, and each other only as it says here.
set(uses_scene/format scene)
set(uses_scene/spec scene/format)
set(uses_scene/read scene/spec)
set(uses_scene/load scene/spec)
set(uses_scene/judge scene/load)
set(uses_scene/methods scene/judge)
set(uses_scene/methods/deform scene/methods)
set(uses_scene/methods/dynamics scene/methods)
set(uses_scene/methods/implicit scene/methods)
set(uses_scene/run scene/read scene/methods/deform scene/methods/dynamics scene/methods/implicit)
set(uses_scene/picture scene/methods)

# What can be linked alone, as Knead::NAME: its rooms, the other components that they use, and the packages that whoever
# links it needs.
set(knead_components core simulate io render scene)
set(rooms_of_core base mesh solve spatial rig contact bulge deform)
set(rooms_of_simulate dynamics implicit)
set(rooms_of_io io)
set(rooms_of_render render)
set(rooms_of_scene scene)
set(needs_of_core)
set(needs_of_simulate core)
set(needs_of_io core)
set(needs_of_render core)
set(needs_of_scene core simulate io render)
set(packages_of_core Eigen3 TBB fmt METIS)
set(packages_of_simulate)
set(packages_of_io assimp)
set(packages_of_render embree PNG)
set(packages_of_scene)
