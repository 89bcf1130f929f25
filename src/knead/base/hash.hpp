#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace knead {

/// FNV-1a over what is added, to tell whether two inputs are the same. Not for secrets.
class Hash {
public:
    void add(const void* data, std::size_t size) {
        for (const char c : std::string_view(static_cast<const char*>(data), size))
            mix(static_cast<unsigned char>(c));
        mix(0xFF); // so that "ab", "c" differs from "a", "bc"
    }
    void add(std::string_view text) { add(text.data(), text.size()); }

    /// Sixteen hexadecimal digits.
    std::string text() const {
        char digits[17];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value_));
        return digits;
    }

private:
    void mix(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001B3u; }

    std::uint64_t value_ = 0xCBF29CE484222325u;
};

} // namespace knead
