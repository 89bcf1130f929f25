#include "knead/scene/format/overrides.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <optional>

namespace knead {
namespace {

constexpr std::size_t max_steps = 32;

// "objects[0].transform.scale" -> objects, 0, transform, scale.
std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> steps(1);
    for (const char c : path) {
        if (c == '.' || c == '[')
            steps.emplace_back();
        else if (c != ']')
            steps.back() += c;
    }
    return steps;
}

class Override {
public:
    Override(const std::string& text, int line) : text_(text), line_(line) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            fail("expected PATH=VALUE, as in objects.ball.stiffness=2");
        steps_ = split_path(std::string_view(text).substr(0, equals));
        if (steps_.size() > max_steps)
            fail(fmt::format("the path has {} steps, expected at most {}", steps_.size(),
                             max_steps));
        value_ = parse_value(text.substr(equals + 1));
    }

    void apply(JsonValue& root) const {
        JsonValue* at = &root;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (steps_[i].empty()) fail("the path has an empty step");
            at = &step_into(*at, i);
        }
        *at = value_;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        const std::string shown = single_quoted(text_, 100);
        throw InputError(fmt::format("--set {}: {}", shown.substr(1, shown.size() - 2), what));
    }

    JsonValue parse_value(const std::string& text) const {
        JsonValue value;
        try {
            value = parse_json(text, "");
        } catch (const InputError&) {
            value.data = text;
        }
        set_line(value);
        return value;
    }

    void set_line(JsonValue& value) const {
        value.line = line_;
        if (JsonValue::List* list = value.list())
            for (JsonValue& item : *list) set_line(item);
        if (JsonValue::Object* object = value.object())
            for (auto& member : *object) set_line(member.second);
    }

    std::string path_to(std::size_t step) const {
        return step == 0 ? "the scene" : fmt::format("{}", steps_[step - 1]);
    }

    JsonValue& step_into(JsonValue& at, std::size_t step) const {
        const std::string& key = steps_[step];
        if (at.list() != nullptr) return step_into_list(*at.list(), step);
        // Made on the way by this override: a missing object.
        if (at.line == line_ && std::holds_alternative<std::nullptr_t>(at.data))
            at.data = JsonValue::Object();
        if (at.object() == nullptr)
            fail(
                fmt::format("{} is {}, expected an object or a list", path_to(step), describe(at)));
        if (JsonValue* member = at.find(key)) return *member;
        return at.object()->emplace_back(key, JsonValue{nullptr, line_}).second;
    }

    // The entry of a list, or the copy of one, that has that name.
    static JsonValue* find_named(JsonValue::List& list, const std::string& key,
                                 std::vector<std::string_view>& names) {
        for (JsonValue& item : list) {
            if (const JsonValue* name = item.find("name"); name != nullptr && name->text()) {
                if (*name->text() == key) return &item;
                names.push_back(*name->text());
            }
            if (JsonValue* copies = item.find("copies"); copies != nullptr && copies->list())
                if (JsonValue* copy = find_named(*copies->list(), key, names)) return copy;
        }
        return nullptr;
    }

    JsonValue& step_into_list(JsonValue::List& list, std::size_t step) const {
        const std::string& key = steps_[step];
        std::vector<std::string_view> names;
        if (JsonValue* named = find_named(list, key, names)) return *named;
        const std::optional<int> index = parse_int(key);
        if (!index) {
            const auto nearest = nearest_word(key, names);
            fail(fmt::format("{} has no entry named {}{}", path_to(step), in_quotes(key),
                             nearest ? fmt::format(", did you mean \"{}\"?", *nearest) : ""));
        }
        if (*index < 0 || static_cast<std::size_t>(*index) >= list.size())
            fail(fmt::format("{} has no entry {}, expected 0 to {}", path_to(step), *index,
                             static_cast<int>(list.size()) - 1));
        return list[static_cast<std::size_t>(*index)];
    }

    const std::string& text_;
    int line_;
    std::vector<std::string> steps_;
    JsonValue value_;
};

} // namespace

void apply_overrides(JsonValue& root, std::span<const std::string> overrides) {
    for (std::size_t i = 0; i < overrides.size(); ++i)
        Override(overrides[i], -1 - static_cast<int>(i)).apply(root);
}

} // namespace knead
