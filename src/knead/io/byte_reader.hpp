#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

namespace knead {

/// Reads numbers from bytes. The caller asks `has` first.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes, std::endian order = std::endian::little)
        : rest_(bytes), swap_(order != std::endian::native) {}

    bool has(std::size_t count) const { return count <= rest_.size(); }
    std::size_t left() const { return rest_.size(); }

    template <typename T>
    T take() {
        T value;
        char bytes[sizeof(T)];
        std::memcpy(bytes, rest_.data(), sizeof(T));
        if (swap_) std::reverse(bytes, bytes + sizeof(T));
        std::memcpy(&value, bytes, sizeof(T));
        rest_.remove_prefix(sizeof(T));
        return value;
    }
    std::string_view take_bytes(std::size_t count) {
        const std::string_view result = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return result;
    }

private:
    std::string_view rest_;
    bool swap_;
};

} // namespace knead
