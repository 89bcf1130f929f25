#pragma once

#include "knead/base/setting.hpp"
#include "knead/rig/keyed.hpp"
#include "knead/scene/format/json.hpp"

#include <initializer_list>
#include <optional>
#include <span>

namespace knead {

/// The name of the scene and its overrides, which the messages about it begin with.
struct SceneText {
    std::string name;
    /// A value that came from override i has line -1 - i.
    std::vector<std::string> overrides;

    std::string place(int line) const;
};

/// A value of the scene file and the way to it: reads what it is and complains when it is
/// something else, as in `ball.json:14: objects[0].stiffness: found "soft", expected a number`.
class SceneValue {
public:
    SceneValue(const SceneText& text, const JsonValue& json, std::string path)
        : text_(&text), json_(&json), path_(std::move(path)) {}

    /// An object that has the members of `base`, which must outlive it, where it has none of its
    /// own.
    SceneValue over(const SceneValue& base) const {
        SceneValue result = *this;
        result.base_ = &base;
        return result;
    }

    const JsonValue& json() const { return *json_; }
    const std::string& path() const { return path_; }
    /// "ball.json:14: objects[0].stiffness", to begin a message with.
    std::string where() const;

    /// Throws `where: found ..., expected ...`.
    [[noreturn]] void expected(std::string_view expected) const;
    /// Throws `where: what`.
    [[noreturn]] void fail(std::string_view what) const;

    /// Complains unless this is an object that has only these keys.
    void expect_keys(std::initializer_list<std::string_view> known) const;
    /// A member of an object, or nothing.
    std::optional<SceneValue> find(std::string_view key) const;
    /// A member that must be there; `what` says what it is when it is not.
    SceneValue require(std::string_view key, std::string_view what) const;
    SceneValue item(std::size_t index) const;
    /// The items of a list; complains that `what` was expected when it is none.
    std::vector<SceneValue> items(std::string_view what) const;

    bool is_text() const { return json_->text() != nullptr; }
    bool is_list() const { return json_->list() != nullptr; }
    bool is_object() const { return json_->object() != nullptr; }

    bool boolean() const;
    double number(const Bounds& bounds = bounds::any) const;
    int integer(int low, int high) const;
    /// Not empty.
    const std::string& text(std::string_view what) const;
    Vec2 vec2(const Bounds& bounds = bounds::any) const;
    Vec3 vec3(const Bounds& bounds = bounds::any) const;
    Keyed<double> keyed_number(const Bounds& bounds = bounds::any) const;
    Keyed<Vec3> keyed_vec3(const Bounds& bounds = bounds::any) const;
    /// Three numbers, or one that stands for all three.
    Keyed<Vec3> keyed_scale(const Bounds& bounds = bounds::any) const;

    template <typename Enum>
    Enum choice(std::initializer_list<std::pair<std::string_view, Enum>> choices) const {
        std::vector<std::string_view> words;
        for (const auto& [word, value] : choices) {
            if (json_->text() != nullptr && *json_->text() == word) return value;
            words.push_back(word);
        }
        expected_one_of(words);
    }
    /// Throws, listing the words.
    [[noreturn]] void expected_one_of(std::span<const std::string_view> words) const;

private:
    /// `complain` throws for a value that `read` finds nothing in.
    template <typename T, typename Read, typename Complain>
    Keyed<T> keyed(std::string_view kind, const Read& read, const Complain& complain) const;

    const SceneText* text_;
    const JsonValue* json_;
    std::string path_;
    const SceneValue* base_ = nullptr;
};

/// Reads `target` from a member when it is there.
template <typename T, typename Read>
void read_member(const SceneValue& object, std::string_view key, T& target, const Read& read) {
    if (const std::optional<SceneValue> member = object.find(key)) target = read(*member);
}

} // namespace knead
