#pragma once

#include "knead/scene/read/scene_file.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "input_error.hpp"

namespace knead {

/// Replaces ' by ", so that JSON is readable in a test.
inline std::string json(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c == '\'') c = '"';
    return result;
}

inline Scene scene_of(std::string_view text, const SceneOptions& options = {}) {
    return parse_scene(json(text), "ball.json", options);
}

/// A scene of one ball, whose line 3 has more keys of the object, and of a floor.
inline std::string ball_with(std::string_view keys) {
    return fmt::format("{{'knead': 1, 'objects': [\n"
                       "  {{'name': 'ball', 'mesh': {{'sphere': {{}}}}\n"
                       "   {}{} }},\n"
                       "  {{'name': 'floor', 'mesh': {{'grid': {{}}}}, 'rigid': true}} ] }}",
                       keys.empty() ? "" : ", ", keys);
}
inline SceneObject ball(std::string_view keys) {
    return scene_of(ball_with(keys)).objects[0];
}

/// A scene whose line 2 has more keys of the scene.
inline std::string scene_with(std::string_view keys) {
    return fmt::format(
        "{{'knead': 1,\n{}{}\n'objects': [ {{'name': 'a', 'mesh': {{'sphere': {{}}}}}}, "
        "{{'name': 'b', 'mesh': {{'box': {{}}}}}} ] }}",
        keys, keys.empty() ? "" : ",");
}

inline std::string scene_error(std::string_view text, const SceneOptions& options = {}) {
    return input_error([&] { scene_of(text, options); });
}
/// The message about line 3, without its beginning.
inline std::string ball_error(std::string_view keys) {
    const std::string message = scene_error(ball_with(keys));
    const std::string begin = "ball.json:3: objects[0]";
    return message.starts_with(begin) ? message.substr(begin.size()) : message;
}

} // namespace knead
