#include "knead/scene/format/scene_value.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace knead {
namespace {

bool is_identifier(std::string_view key) {
    return !key.empty() && key.size() <= 60 && std::all_of(key.begin(), key.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
    });
}

std::string with_key(const std::string& path, std::string_view key) {
    if (!is_identifier(key)) return fmt::format("{}[{}]", path, in_quotes(key));
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

std::optional<Vec3> three_numbers(const JsonValue& json, const Bounds& bounds) {
    const JsonValue::List* list = json.list();
    if (list == nullptr || list->size() != 3) return std::nullopt;
    Vec3 result;
    for (int i = 0; i < 3; ++i) {
        const double* number = (*list)[i].number();
        if (number == nullptr || !bounds.contain(*number)) return std::nullopt;
        result[i] = *number;
    }
    return result;
}

std::string three(const Bounds& bounds) {
    return bounds.words == bounds::any.words ? "[x, y, z]"
                                             : fmt::format("[x, y, z], each {}", bounds.words);
}

} // namespace

std::string SceneText::place(int line) const {
    if (line > 0) return fmt::format("{}:{}", name, line);
    const std::string set = single_quoted(overrides[static_cast<std::size_t>(-1 - line)], 100);
    return "--set " + set.substr(1, set.size() - 2);
}

std::string SceneValue::where() const {
    const std::string place = text_->place(json_->line);
    return path_.empty() ? place : fmt::format("{}: {}", place, path_);
}

void SceneValue::expected(std::string_view expected) const {
    fail(fmt::format("found {}, expected {}", describe(*json_), expected));
}

void SceneValue::fail(std::string_view what) const {
    throw InputError(fmt::format("{}: {}", where(), what));
}

void SceneValue::expect_keys(std::initializer_list<std::string_view> known) const {
    if (!is_object()) expected(fmt::format("an object with the keys {}", fmt::join(known, ", ")));
    for (const auto& [key, value] : *json_->object()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        const SceneValue member(*text_, value, with_key(path_, key));
        const std::vector<std::string_view> candidates(known);
        if (const auto nearest = nearest_word(key, candidates))
            member.fail(fmt::format("unknown key, did you mean \"{}\"?", *nearest));
        member.fail(fmt::format("unknown key, expected one of {}", fmt::join(known, ", ")));
    }
}

std::optional<SceneValue> SceneValue::find(std::string_view key) const {
    const JsonValue* member = json_->find(key);
    if (member == nullptr) return base_ == nullptr ? std::nullopt : base_->find(key);
    return SceneValue(*text_, *member, with_key(path_, key));
}

SceneValue SceneValue::require(std::string_view key, std::string_view what) const {
    if (const auto member = find(key)) return *member;
    throw InputError(fmt::format("{}: {}: missing, expected {}", text_->place(json_->line),
                                 with_key(path_, key), what));
}

SceneValue SceneValue::item(std::size_t index) const {
    return SceneValue(*text_, (*json_->list())[index], fmt::format("{}[{}]", path_, index));
}

std::vector<SceneValue> SceneValue::items(std::string_view what) const {
    if (!is_list()) expected(what);
    std::vector<SceneValue> result;
    result.reserve(json_->list()->size());
    for (std::size_t i = 0; i < json_->list()->size(); ++i) result.push_back(item(i));
    return result;
}

bool SceneValue::boolean() const {
    if (json_->boolean() == nullptr) expected("true or false");
    return *json_->boolean();
}

double SceneValue::number(const Bounds& bounds) const {
    const double* value = json_->number();
    if (value == nullptr || !bounds.contain(*value)) expected(bounds.words);
    return *value;
}

int SceneValue::integer(int low, int high) const {
    const double* value = json_->number();
    if (value == nullptr || *value != std::floor(*value) || *value < low || *value > high)
        expected(fmt::format("a whole number from {} to {}", low, high));
    return static_cast<int>(*value);
}

const std::string& SceneValue::text(std::string_view what) const {
    if (json_->text() == nullptr || json_->text()->empty()) expected(what);
    return *json_->text();
}

Vec2 SceneValue::vec2(const Bounds& bounds) const {
    const JsonValue::List* list = json_->list();
    if (list == nullptr || list->size() != 2) expected("a list of two numbers");
    return {item(0).number(bounds), item(1).number(bounds)};
}

Vec3 SceneValue::vec3(const Bounds& bounds) const {
    const std::optional<Vec3> value = three_numbers(*json_, bounds);
    if (!value) {
        if (is_list() && json_->list()->size() == 3)
            for (std::size_t i = 0; i < 3; ++i) item(i).number(bounds);
        expected(three(bounds));
    }
    return *value;
}

template <typename T, typename Read, typename Complain>
Keyed<T> SceneValue::keyed(std::string_view kind, const Read& read,
                           const Complain& complain) const {
    if (const std::optional<T> constant = read(*json_)) return *constant;
    const auto keys = find("keys");
    if (!keys) expected(fmt::format("{} or {{\"keys\": [[frame, value], ...]}}", kind));
    expect_keys({"keys", "interpolation"});
    if (!keys->is_list() || keys->json().list()->empty())
        keys->expected("a list of [frame, value]");

    std::vector<double> frames;
    std::vector<T> values;
    const JsonValue::List& list = *keys->json().list();
    for (std::size_t k = 0; k < list.size(); ++k) {
        const JsonValue::List* key = list[k].list();
        if (key == nullptr || key->size() != 2) keys->item(k).expected("[frame, value]");
        const double* frame = (*key)[0].number();
        if (frame == nullptr) keys->item(k).item(0).expected("a frame number");
        if (k > 0 && !(*frame > frames.back()))
            keys->item(k).fail(fmt::format("found frame {} after frame {}, expected frames that "
                                           "ascend",
                                           *frame, frames.back()));
        const std::optional<T> value = read((*key)[1]);
        if (!value) complain(keys->item(k).item(1));
        frames.push_back(*frame);
        values.push_back(*value);
    }
    Interpolation interpolation = Interpolation::smooth;
    read_member(*this, "interpolation", interpolation, [](const SceneValue& value) {
        return value.choice<Interpolation>({{"smooth", Interpolation::smooth},
                                            {"linear", Interpolation::linear},
                                            {"step", Interpolation::step}});
    });
    return {std::move(frames), std::move(values), interpolation};
}

Keyed<double> SceneValue::keyed_number(const Bounds& bounds) const {
    if (json_->number() != nullptr) return number(bounds);
    return keyed<double>(
        "a number",
        [&](const JsonValue& json) -> std::optional<double> {
            const double* number = json.number();
            if (number == nullptr || !bounds.contain(*number)) return std::nullopt;
            return *number;
        },
        [&](const SceneValue& value) { value.number(bounds); });
}

Keyed<Vec3> SceneValue::keyed_vec3(const Bounds& bounds) const {
    if (is_list() && json_->list()->size() == 3) return vec3(bounds);
    return keyed<Vec3>(
        "[x, y, z]", [&](const JsonValue& json) { return three_numbers(json, bounds); },
        [&](const SceneValue& value) { value.vec3(bounds); });
}

Keyed<Vec3> SceneValue::keyed_scale(const Bounds& bounds) const {
    // Either every key has one number or every key has three.
    bool one = json_->number() != nullptr;
    if (const auto keys = find("keys"); keys && keys->is_list() && !keys->json().list()->empty()) {
        const JsonValue::List* first = keys->json().list()->front().list();
        one = first != nullptr && first->size() == 2 && (*first)[1].number() != nullptr;
        if (!one && !(first != nullptr && first->size() == 2 && (*first)[1].list() != nullptr))
            keys->item(0).expected("[frame, value] with a number or [x, y, z] as value");
    } else if (!one && !is_list() && !keys) {
        expected("a number, [x, y, z] or {\"keys\": [[frame, value], ...]}");
    }
    if (!one) return keyed_vec3(bounds);
    const Keyed<double> uniform = keyed_number(bounds);
    std::vector<Vec3> values;
    for (const double value : uniform.values) values.push_back(Vec3::Constant(value));
    return {uniform.frames, std::move(values), uniform.interpolation};
}

void SceneValue::expected_one_of(std::span<const std::string_view> words) const {
    std::string all;
    for (std::size_t i = 0; i < words.size(); ++i)
        all += fmt::format("{}\"{}\"",
                           i == 0                  ? ""
                           : i + 1 == words.size() ? " or "
                                                   : ", ",
                           words[i]);
    expected(all);
}

} // namespace knead
