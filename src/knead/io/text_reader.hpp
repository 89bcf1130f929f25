#pragma once

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/io/mesh_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace knead {

/// Walks through the lines of a text and the words of a line. Views only; nothing is copied.
class TextReader {
public:
    /// `file` begins every message.
    TextReader(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

    /// Goes to the next line, if there is one. LF, CRLF and a missing last line end are fine.
    bool next_line() {
        if (rest_.empty()) return false;
        ++number_;
        const void* end = std::memchr(rest_.data(), '\n', rest_.size());
        const std::size_t length =
            end == nullptr ? rest_.size() : static_cast<const char*>(end) - rest_.data();
        line_ = rest_.substr(0, length);
        rest_.remove_prefix(end == nullptr ? length : length + 1);
        if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
        return true;
    }
    /// Goes to the next line that has a word on it, leaving out what stands behind a '#'.
    bool next_filled_line() {
        while (next_line()) {
            line_ = line_.substr(0, line_.find('#'));
            skip_blanks();
            if (!line_.empty()) return true;
        }
        return false;
    }

    /// Next word of the line; empty at its end.
    std::string_view word() {
        skip_blanks();
        std::size_t length = 0;
        while (length < line_.size() && !is_blank(line_[length])) ++length;
        const std::string_view result = line_.substr(0, length);
        line_.remove_prefix(length);
        return result;
    }
    bool at_line_end() {
        skip_blanks();
        return line_.empty();
    }
    /// The words not yet taken, without blanks at both ends.
    std::string_view rest_of_line() {
        skip_blanks();
        while (!line_.empty() && is_blank(line_.back())) line_.remove_suffix(1);
        return std::exchange(line_, {});
    }
    /// Replaces what is left of the line (for line continuation).
    void set_line(std::string_view line) { line_ = line; }
    std::string_view line() const { return line_; }

    /// Next word as a number; it need not be finite.
    double number(std::string_view what) {
        skip_blanks();
        const char* begin = line_.data();
        const char* end = begin + line_.size();
        if (begin != end && *begin == '+') ++begin;
        double value = 0;
        const auto [stop, error] = std::from_chars(begin, end, value);
        if (error != std::errc() || (stop != end && !is_blank(*stop))) expected(what, "a number");
        line_.remove_prefix(stop - line_.data());
        return value;
    }
    double finite_number(std::string_view what) {
        const double value = number(what);
        if (!std::isfinite(value))
            fail(fmt::format("{} is {}, expected a finite number", what, value));
        return value;
    }
    double coordinate(std::string_view what) {
        const double value = finite_number(what);
        if (std::abs(value) > max_coordinate)
            fail(fmt::format("{} is {}, expected a coordinate between -1e100 and 1e100", what,
                             value));
        return value;
    }
    template <typename Integer>
    Integer integer(std::string_view what) {
        skip_blanks();
        const char* end = line_.data() + line_.size();
        Integer value = 0;
        const auto [stop, error] = std::from_chars(line_.data(), end, value);
        if (error != std::errc() || (stop != end && !is_blank(*stop)))
            expected(what, "a whole number");
        line_.remove_prefix(stop - line_.data());
        return value;
    }

    [[noreturn]] void fail(std::string_view message) const { fail_at(number_, message); }
    [[noreturn]] void fail_at(int line, std::string_view message) const {
        throw InputError(fmt::format("{}: line {}: {}", file_, line, message));
    }
    [[noreturn]] void expected(std::string_view what, std::string_view kind) {
        const std::string_view found = word();
        if (found.empty())
            fail(fmt::format("{} is missing, expected {}", what, kind));
        else
            fail(fmt::format("{} is {}, expected {}", what, single_quoted(found), kind));
    }

    int line_number() const { return number_; }
    std::size_t bytes_left() const { return rest_.size(); }
    /// Everything behind the current line.
    std::string_view rest() const { return rest_; }
    const std::string& file() const { return file_; }

    static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

private:
    void skip_blanks() {
        while (!line_.empty() && is_blank(line_.front())) line_.remove_prefix(1);
    }

    std::string_view rest_, line_;
    std::string file_;
    int number_ = 0;
};

} // namespace knead
