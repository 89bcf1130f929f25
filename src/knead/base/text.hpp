#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace knead {

/// The candidate with the fewest edits from `word`, or nothing when all are too far to be a slip.
std::optional<std::string> nearest_word(std::string_view word,
                                        std::span<const std::string_view> candidates);

/// The whole of `text` as a number: nothing before, nothing after, independent of the locale.
std::optional<double> parse_double(std::string_view text);
std::optional<int> parse_int(std::string_view text);

/// The shortest text that reads back to the same double.
std::string shortest(double value);

/// "1 vertex", "2 vertices": a count with the right form of its noun.
std::string counted(long long count, std::string_view one, std::string_view many);

/// Text from outside made fit for one line of a message: control characters and what is too long
/// go.
std::string single_quoted(std::string_view text, std::size_t max_length = 60);

} // namespace knead
