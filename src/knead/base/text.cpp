#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace knead {
namespace {

// Levenshtein distance; an exchange of neighbours counts as two edits.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = above;
        }
    }
    return row[b.size()];
}

template <typename T>
std::optional<T> parse_number(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

} // namespace

std::optional<std::string> nearest_word(std::string_view word,
                                        std::span<const std::string_view> candidates) {
    if (word.size() > 200) return std::nullopt;
    std::optional<std::string> best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = std::string(candidate);
        }
    }
    return best;
}

std::optional<double> parse_double(std::string_view text) {
    return parse_number<double>(text);
}
std::optional<int> parse_int(std::string_view text) {
    return parse_number<int>(text);
}

std::string shortest(double value) {
    return fmt::format("{}", value);
}

std::string counted(long long count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string single_quoted(std::string_view text, std::size_t max_length) {
    const bool cut = text.size() > max_length;
    if (cut) {
        // Never in the middle of a UTF-8 sequence.
        while (max_length > 0 && (static_cast<unsigned char>(text[max_length]) & 0xC0) == 0x80)
            --max_length;
        text = text.substr(0, max_length);
    }
    std::string result = "'";
    for (const char c : text) result += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
    return result + (cut ? "...'" : "'");
}

} // namespace knead
