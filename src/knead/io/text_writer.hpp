#pragma once

#include "knead/base/types.hpp"

#include <fmt/format.h>

#include <iterator>
#include <ostream>

namespace knead {

/// Formats into memory and hands large pieces to the stream.
class TextWriter {
public:
    explicit TextWriter(std::ostream& out) : out_(out) {}
    ~TextWriter() { flush(); }
    TextWriter(const TextWriter&) = delete;
    TextWriter& operator=(const TextWriter&) = delete;

    template <typename... Arguments>
    void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
        if (buffer_.size() > (1u << 16)) flush();
    }
    void write(std::string_view text) {
        buffer_.append(text);
        if (buffer_.size() > (1u << 16)) flush();
    }

private:
    void flush() {
        out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        buffer_.clear();
    }

    std::ostream& out_;
    fmt::memory_buffer buffer_;
};

} // namespace knead
