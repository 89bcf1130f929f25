#include "messages.hpp"

#include <nlohmann/json.hpp>

#include <bit>
#include <cstring>

namespace knead::studio {

static_assert(std::endian::native == std::endian::little && sizeof(float) == 4 && sizeof(int) == 4);

void* MessageBlocks::grow(const std::string& name, const std::string& object, const char* type,
                          int components, std::size_t count) {
    const std::size_t offset = bytes_.size();
    blocks_.push_back({name, object, type, components, count, offset});
    bytes_.resize(offset + 4 * count * static_cast<std::size_t>(components));
    return bytes_.data() + offset;
}

void MessageBlocks::add(const std::string& name, const std::string& object,
                        std::span<const Vec3> positions) {
    auto* to = static_cast<char*>(grow(name, object, "f32", 3, positions.size()));
    for (const Vec3& position : positions) {
        const Eigen::Vector3f single = position.cast<float>();
        std::memcpy(to, single.data(), 12);
        to += 12;
    }
}

void MessageBlocks::add(const std::string& name, const std::string& object,
                        std::span<const double> values, int components) {
    auto* to = static_cast<char*>(grow(name, object, "f32", components,
                                       values.size() / static_cast<std::size_t>(components)));
    for (const double value : values) {
        const auto single = static_cast<float>(value);
        std::memcpy(to, &single, 4);
        to += 4;
    }
}

void MessageBlocks::add(const std::string& name, const std::string& object,
                        std::span<const Triangle> triangles) {
    void* to = grow(name, object, "u32", 3, triangles.size());
    if (!triangles.empty()) std::memcpy(to, triangles.data(), triangles.size_bytes());
}

std::string MessageBlocks::message(MessageKind kind, std::uint32_t id, Json json) const {
    Json& list = json["blocks"] = Json::array();
    for (const Block& block : blocks_)
        list.push_back({{"name", block.name},
                        {"object", block.object},
                        {"type", block.type},
                        {"components", block.components},
                        {"count", block.count},
                        {"offset", block.offset}});
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::uint32_t head[] = {0x4441454B, static_cast<std::uint32_t>(kind), id,
                                  static_cast<std::uint32_t>(text.size())};
    std::string message(reinterpret_cast<const char*>(head), sizeof head);
    message.reserve(message.size() + text.size() + bytes_.size());
    return message.append(text).append(bytes_);
}

} // namespace knead::studio
