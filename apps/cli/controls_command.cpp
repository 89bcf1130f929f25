#include "knead/scene/spec/controls.hpp"

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"

namespace knead::cli {

void add_controls(CLI::App& app) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand(
        "controls", "list every number of every method: unit, default, bounds and what it does");
    command->footer("Example:\n  knead controls --json > controls.json");
    command->add_flag("--json", *json, "for programs");
    command->callback([json] {
        fmt::print("{}{}", *json ? controls_as_json(controls()) : controls_as_markdown(),
                   *json ? "\n" : "");
    });
}

} // namespace knead::cli
