#pragma once

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/io/mesh_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "own_folder.hpp"

namespace knead {

/// A folder of its own for every test.
class Io : public testing::Test {
protected:
    std::filesystem::path write(const std::string& name, std::string_view content) {
        write_file_atomically(folder / name, content);
        return folder / name;
    }
    std::ptrdiff_t file_count() const {
        return std::distance(std::filesystem::directory_iterator(folder),
                             std::filesystem::directory_iterator());
    }

    OwnFolder own;
    const std::filesystem::path& folder = own.path();
};

/// What an InputError says, or "no error".
template <typename Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

inline std::string message_of_reading(MeshFormat format, std::string_view content) {
    return message_of([&] { read_mesh_from_memory(format, content, "m"); });
}

/// The bytes of a number, in this machine's order or turned round.
template <typename T>
std::string bytes_of(T value, bool turned = false) {
    std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    if (turned) std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

/// Same vertices, faces, names, groups, UVs and attributes.
inline void expect_same(const MeshFile& a, const MeshFile& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.mesh.positions, b.mesh.positions);
    EXPECT_EQ(a.mesh.faces, b.mesh.faces);
    EXPECT_EQ(a.mesh.groups, b.mesh.groups);
    EXPECT_EQ(a.polygons, b.polygons);
    EXPECT_EQ(a.texture_coordinates, b.texture_coordinates);
    EXPECT_EQ(a.corner_texture, b.corner_texture);
    EXPECT_EQ(a.material_libraries, b.material_libraries);
    for (const auto& [x, y] :
         {std::pair(&a.face_groups, &b.face_groups), std::pair(&a.face_objects, &b.face_objects),
          std::pair(&a.face_materials, &b.face_materials)}) {
        EXPECT_EQ(x->names, y->names);
        EXPECT_EQ(x->of_polygon, y->of_polygon);
    }
    ASSERT_EQ(a.mesh.attributes.size(), b.mesh.attributes.size());
    for (const auto& [name, attribute] : a.mesh.attributes) {
        ASSERT_TRUE(b.mesh.attributes.contains(name)) << name;
        EXPECT_EQ(attribute.components, b.mesh.attributes.at(name).components);
        EXPECT_EQ(attribute.values, b.mesh.attributes.at(name).values) << name;
    }
}

} // namespace knead
