#include "knead/scene/format/json.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace knead {
namespace {

constexpr std::size_t max_depth = 64;
constexpr std::size_t max_values = 1'000'000;
// Differences, squares and volumes of numbers up to this are still numbers.
constexpr double max_number = 1e100;

// Lets the parser read the text and tells how far it is.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        *reached_ = ++at_;
        return *this;
    }
    CountingIterator operator++(int) {
        const CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
    bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

private:
    const char* at_;
    const char** reached_;
};

// Builds the tree from the parser's events.
class TreeBuilder {
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    TreeBuilder(std::string_view text, const std::string& name)
        : reached(text.data()), name_(name), counted_(text.data()) {}

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(number_integer_t value) { return add(static_cast<double>(value)); }
    bool number_unsigned(number_unsigned_t value) { return add(static_cast<double>(value)); }
    bool number_float(number_float_t value, const string_t&) {
        if (std::abs(value) > max_number) fail_too_large();
        return add(value);
    }
    bool string(string_t& value) { return add(std::move(value)); }
    bool binary(binary_t&) { return false; }
    bool start_object(std::size_t) { return open(JsonValue::Object()); }
    bool start_array(std::size_t) { return open(JsonValue::List()); }
    bool key(string_t& value) {
        if (!open_.back().keys.insert(value).second)
            fail(fmt::format("the key {} appears twice", in_quotes(value)));
        key_ = std::move(value);
        return true;
    }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    template <typename Exception>
    bool parse_error(std::size_t, const std::string&, const Exception& error) {
        // "[...] parse error at ...: syntax error while parsing value - WHAT; last read: '...'"
        std::string_view what = error.what();
        if (what.find("number overflow") != std::string_view::npos) fail_too_large();
        if (const std::size_t at = what.find(" - "); at != std::string_view::npos)
            what.remove_prefix(at + 3);
        what = what.substr(0, what.find("; last read"));
        const std::string cleaned = single_quoted(what, 160);
        fail("not JSON: " + cleaned.substr(1, cleaned.size() - 2));
        return false;
    }

    JsonValue root;
    const char* reached;

private:
    struct Open {
        JsonValue value;
        std::string key; // under which it goes into its own parent
        std::unordered_set<std::string> keys;
    };

    // The last character read is the value's own or, after a number, the one that ended it: neither
    // says that the value is on the next line.
    int line() {
        const char* end = reached == counted_ ? reached : reached - 1;
        line_ += static_cast<int>(std::count(counted_, end, '\n'));
        counted_ = end;
        return line_;
    }

    [[noreturn]] void fail(const std::string& what) {
        throw InputError(fmt::format("{}:{}: {}", name_, line(), what));
    }

    [[noreturn]] void fail_too_large() { fail("a number is too large, expected at most 1e100"); }

    template <typename T>
    bool add(T value) {
        return attach({std::move(value), line()}, std::move(key_));
    }

    bool attach(JsonValue value, std::string key) {
        if (++values_ > max_values)
            fail(fmt::format("more than {} values, expected a smaller scene", max_values));
        if (open_.empty())
            root = std::move(value);
        else if (JsonValue::List* list = open_.back().value.list())
            list->push_back(std::move(value));
        else
            open_.back().value.object()->emplace_back(std::move(key), std::move(value));
        return true;
    }

    template <typename T>
    bool open(T container) {
        if (open_.size() == max_depth) fail(fmt::format("nested deeper than {} levels", max_depth));
        open_.push_back({{std::move(container), line()}, std::move(key_), {}});
        return true;
    }

    bool close() {
        Open done = std::move(open_.back());
        open_.pop_back();
        return attach(std::move(done.value), std::move(done.key));
    }

    const std::string& name_;
    const char* counted_;
    int line_ = 1;
    std::size_t values_ = 0;
    std::vector<Open> open_;
    std::string key_;
};

template <typename Object>
auto find_member(Object* object, std::string_view key) -> decltype(&object->front().second) {
    if (object != nullptr)
        for (auto& [name, value] : *object)
            if (name == key) return &value;
    return nullptr;
}

} // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
    return find_member(object(), key);
}
JsonValue* JsonValue::find(std::string_view key) {
    return find_member(object(), key);
}

JsonValue parse_json(std::string_view text, const std::string& name) {
    if (text.empty()) throw InputError(name + ": the file is empty, expected a JSON object");
    TreeBuilder builder(text, name);
    const CountingIterator begin(text.data(), &builder.reached);
    const CountingIterator end(text.data() + text.size(), &builder.reached);
    nlohmann::json::sax_parse(begin, end, &builder);
    return std::move(builder.root);
}

std::string describe(const JsonValue& value) {
    if (const bool* boolean = value.boolean()) return *boolean ? "true" : "false";
    if (const double* number = value.number()) return shortest(*number);
    if (const std::string* text = value.text()) return in_quotes(*text);
    if (const JsonValue::List* list = value.list())
        return list->empty() ? "an empty list" : fmt::format("a list of {}", list->size());
    return value.object() != nullptr ? "an object" : "null";
}

std::string in_quotes(std::string_view text) {
    std::string result = single_quoted(text);
    result.front() = result.back() = '"';
    return result;
}

} // namespace knead
