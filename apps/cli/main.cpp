#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "commands.hpp"
#include "terminal.hpp"

namespace {

// The contract's exit codes.
enum ExitCode {
    done = 0,
    internal_error = 1,
    wrong_usage = 2,
    bad_input = 3,
    gave_up = 4,
    interrupted = 130
};

int fail(ExitCode code, const std::string& message) {
    fmt::print(stderr, "knead: {}\n", message);
    return code;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Contact for soft things: loads, moves, measures and pictures meshes that touch.",
                 "knead");
    app.set_version_flag("--version", KNEAD_VERSION);
    app.require_subcommand(1);
    knead::cli::add_run(app);
    knead::cli::add_render(app);
    knead::cli::add_inspect(app);
    knead::cli::add_demo(app);
    knead::cli::add_studio(app);
    knead::cli::add_bench(app);
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
        names.push_back(command->get_name());
    if (argc > 1 && argv[1][0] != '-' &&
        std::find(names.begin(), names.end(), argv[1]) == names.end())
        return fail(wrong_usage,
                    fmt::format("unknown command {}, expected one of {}",
                                knead::single_quoted(argv[1]), fmt::join(names, ", ")));
    try {
        app.parse(argc, argv);
        return done;
    } catch (const CLI::Success& asked_for_help) {
        return app.exit(asked_for_help);
    } catch (const CLI::ParseError& error) {
        return fail(wrong_usage, std::string(error.what()) + "; see knead --help");
    } catch (const knead::cli::UsageError& error) {
        return fail(wrong_usage, error.what());
    } catch (const knead::Cancelled&) {
        return fail(interrupted, "interrupted; files that are there are whole");
    } catch (const knead::SolveError& error) {
        return fail(gave_up, error.what());
    } catch (const knead::Error& error) {
        return fail(bad_input, error.what());
    } catch (const std::bad_alloc&) {
        return fail(bad_input, "not enough memory for this input, expected a smaller one");
    } catch (const std::length_error&) {
        return fail(bad_input,
                    "this input takes more than fits into memory, expected a smaller one");
    } catch (const std::filesystem::filesystem_error& error) {
        return fail(bad_input,
                    fmt::format("{}: {}", error.path1().string(), error.code().message()));
    } catch (const std::exception& error) {
        return fail(internal_error,
                    fmt::format("a mistake in knead itself, please report it: {}", error.what()));
    }
}
