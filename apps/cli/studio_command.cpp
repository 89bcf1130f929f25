#include "knead/base/file.hpp"
#include "knead/base/warning.hpp"
#include "knead/scene/read/scene_file.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <unistd.h>

#include "browser.hpp"
#include "commands.hpp"
#include "demo_scenes.hpp"
#include "interrupt.hpp"
#include "scene_arguments.hpp"
#include "server/studio.hpp"

namespace knead::cli {
namespace {

struct StudioArguments {
    studio::StudioSettings settings;
    std::string scene, page;
    bool no_open = false;
};

void run_studio(const StudioArguments& arguments) {
    const Interruptible interrupt(Interruptible::Patience::endless);
    // The page shows them.
    set_warning_handler({});
    studio::StudioSettings settings = arguments.settings;
    if (!arguments.scene.empty()) settings.scene = arguments.scene;
    if (!arguments.page.empty()) settings.page = arguments.page;
    for (const DemoScene& demo : demo_scenes()) {
        const Scene scene = parse_scene(demo.text, fs::path(demo.name) / ".json");
        settings.demos.push_back({std::string(demo.name), scene.about, std::string(demo.text)});
    }
    studio::Studio studio(std::move(settings));
    // Alone on its line, so that a terminal knows where it ends.
    fmt::print("{}\nThe studio is at this address; Ctrl-C ends it.\n", studio.url());
    std::fflush(stdout);
    if (!arguments.no_open && has_desktop()) open_in_browser(studio.opening_url());
    interrupt.wait();
    if (studio.stop(std::chrono::milliseconds(600))) return;
    // A long computation does not keep the program; nothing it was writing is left half-written.
    remove_unfinished_files();
    _exit(0);
}

} // namespace

void add_studio(CLI::App& app) {
    auto arguments = std::make_shared<StudioArguments>();
    studio::StudioSettings& settings = arguments->settings;
    settings.port = 7411;
    CLI::App* command =
        app.add_subcommand("studio", "serve a page where contacts are shaped by hand");
    command->footer(
        "Example:\n  knead studio scenes/two-spheres-plane.json\n"
        "and open the address that it prints in a browser on this machine; on a desktop the "
        "browser comes by itself, unless the output goes elsewhere than to a terminal.");
    command->add_option("scene", arguments->scene, "scene file to begin with")
        ->type_name("SCENE.json");
    command->add_option("--port", settings.port, "to listen on; 0 is any that is free")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    command
        ->add_option(
            "--host", settings.host,
            "address to listen on; others than 127.0.0.1 let other machines in, unencrypted")
        ->capture_default_str();
    command->add_option("--token", settings.token,
                        "secret part of the address [a random one]; with it an open page finds its "
                        "way back to a studio that was started again");
    command
        ->add_option("--page", arguments->page, "serve the page from a folder, for who works on it")
        ->type_name("DIR");
    command->add_flag("--no-open", arguments->no_open, "print the address only; open no browser");
    add_threads(*command, settings.threads);
    command->callback([arguments] { run_studio(*arguments); });
}

} // namespace knead::cli
