#pragma once

#include "knead/base/types.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "answers.hpp"

namespace knead::studio {

enum class MessageKind : std::uint32_t { frame = 1, mesh = 2, brush = 3 };

/// Collects the blocks of a binary message: numbers in single precision or indices, little endian.
class MessageBlocks {
public:
    void add(const std::string& name, const std::string& object, std::span<const Vec3> positions);
    void add(const std::string& name, const std::string& object, std::span<const double> values,
             int components = 1);
    void add(const std::string& name, const std::string& object,
             std::span<const Triangle> triangles);

    /// The whole message: head, `json` with the list of blocks, and the blocks.
    std::string message(MessageKind kind, std::uint32_t id, Json json) const;

private:
    void* grow(const std::string& name, const std::string& object, const char* type, int components,
               std::size_t count);

    struct Block {
        std::string name;
        std::string object;
        const char* type;
        int components;
        std::size_t count, offset;
    };
    std::vector<Block> blocks_;
    std::string bytes_;
};

} // namespace knead::studio
