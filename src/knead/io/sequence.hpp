#pragma once

#include "knead/io/mesh_file.hpp"

namespace knead {

/// A mesh in a file a frame. Files are looked for once, and read when they are asked for; safe to
/// share between threads.
class MeshSequence {
public:
    /// `pattern` has one run of '#' in its file name, as in "hand.####.obj"; the number of a file
    /// has at least as many digits. Reads the first file. Throws InputError when there is none.
    explicit MeshSequence(const std::filesystem::path& pattern);

    /// The mesh of the first file.
    const MeshFile& first() const { return first_; }
    int first_frame() const { return frames_.front(); }
    int last_frame() const { return frames_.back(); }
    std::filesystem::path path_of(int frame) const;

    /// Positions of the mesh's vertices: held before the first and after the last file, and blended
    /// linearly between whole frames. Throws InputError that names the file when it is missing or
    /// its vertices or faces are not those of the first.
    void positions_at(double frame, std::vector<Vec3>& positions) const;

private:
    std::vector<Vec3> read(int frame) const;

    std::filesystem::path folder_;
    std::string before_, after_;
    std::size_t digits_ = 0;
    std::vector<int> frames_;
    MeshFile first_;
};

} // namespace knead
