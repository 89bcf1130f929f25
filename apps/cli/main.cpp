#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/base/warning.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "commands.hpp"
#include "interrupt.hpp"
#include "terminal.hpp"

namespace {

enum ExitCode {
    done = 0,
    internal_error = 1,
    wrong_usage = 2,
    bad_input = 3,
    gave_up = 4,
    interrupted = 130
};

constexpr const char* exit_codes =
    "Exit codes: 0 done, 1 a mistake in knead itself, 2 wrong usage, 3 bad input, 4 a solver gave "
    "up, 130 interrupted.";

int fail(ExitCode code, const std::string& message) {
    knead::cli::tell(fmt::format("knead: {}\n", message));
    return code;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& all) {
    const std::vector<std::string_view> views(all.begin(), all.end());
    return knead::nearest_word(word, views);
}

std::string unknown_command(const std::string& word, const std::vector<std::string>& names) {
    const std::string found = "unknown command " + knead::single_quoted(word);
    if (const auto name = nearest(word, names))
        return fmt::format("{}, did you mean '{}'?", found, *name);
    if (word.ends_with(".json")) return fmt::format("{}, did you mean 'run {}'?", found, word);
    return fmt::format("{}, expected one of {}", found, fmt::join(names, ", "));
}

// An option that the command does not have, which is likely why the rest of the line makes no sense
// either; with what may have been meant.
std::optional<std::string> unknown_option(const CLI::App& command,
                                          const std::vector<std::string>& words) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back(name);
    for (const std::string& word : words) {
        const std::string option = word.substr(0, word.find('='));
        const std::string name =
            option.substr(std::min(option.find_first_not_of('-'), option.size()));
        // Numbers may have a sign.
        const bool is_option = option.starts_with('-') && !name.empty() &&
                               std::isalpha(static_cast<unsigned char>(name[0])) != 0;
        if (!is_option || std::find(names.begin(), names.end(), name) != names.end()) continue;
        if (name.size() == 1 && command.get_option_no_throw(option) != nullptr) continue;
        const auto meant = nearest(name, names);
        return "unknown option " + knead::single_quoted(option) +
               (meant ? fmt::format(", did you mean '--{}'?", *meant) : "");
    }
    return std::nullopt;
}

std::string usage_words(const CLI::App& app, const std::vector<std::string>& words,
                        const CLI::ParseError& error) {
    const CLI::App* command = &app;
    std::string name = "knead";
    if (!words.empty() && !words[0].starts_with("-")) {
        command = app.get_subcommand(words[0]);
        name += " " + words[0];
    }
    std::string found = error.what();
    // Which the parser lists from behind.
    const std::vector<std::string> unexpected = command->remaining();
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && unexpected.size() > 1)
        found = fmt::format("The following arguments were not expected: {}",
                            fmt::join(unexpected, " "));
    return fmt::format("{}; see {} --help", unknown_option(*command, words).value_or(found), name);
}

// What is still on its way to standard output may not arrive.
int finish_output(int code) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    return fail(bad_input, "standard output: cannot be written: " +
                               std::error_code(errno, std::generic_category()).message());
}

int run_command_line(int argc, char** argv) {
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
    knead::cli::add_controls(app);
    app.footer(fmt::format("knead help COMMAND says more about a command.\n{}", exit_codes));
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
        command->footer(fmt::format("{}\n{}", command->get_footer(), exit_codes));
    std::vector<std::string> names = command_names(app);
    names.push_back("help");

    std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words[0] == "help") {
        if (words.size() > 2)
            return fail(wrong_usage,
                        fmt::format("help: found {}, expected one command; see knead --help",
                                    knead::single_quoted(fmt::format(
                                        "{}", fmt::join(words.begin() + 1, words.end(), " ")))));
        words = words.size() == 1 || words[1] == "help"
                    ? std::vector<std::string>{"--help"}
                    : std::vector<std::string>{words[1], "--help"};
    }
    if (words.empty())
        return fail(wrong_usage, fmt::format("expected a command, one of {}; see knead --help",
                                             fmt::join(names, ", ")));
    if (!words[0].starts_with("-") &&
        std::find(names.begin(), names.end(), words[0]) == names.end())
        return fail(wrong_usage, unknown_command(words[0], names));
    try {
        // The parser wants them from behind.
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
        return finish_output(done);
    } catch (const CLI::Success& asked_for_help) {
        return finish_output(app.exit(asked_for_help));
    } catch (const CLI::ParseError& error) {
        return fail(wrong_usage, usage_words(app, words, error));
    } catch (const knead::cli::UsageError& error) {
        return fail(wrong_usage, fmt::format("{}; see knead {} --help", error.what(), words[0]));
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
        if (std::ferror(stdout) != 0) return finish_output(bad_input);
        return fail(internal_error,
                    fmt::format("a mistake in knead itself, please report it: {}", error.what()));
    }
}

} // namespace

int main(int argc, char** argv) try {
    knead::cli::watch_for_interrupts();
    knead::set_warning_handler([](std::string_view warning) {
        knead::cli::tell(fmt::format("knead: warning: {}\n", warning));
    });
    return run_command_line(argc, argv);
} catch (...) {
    std::fputs("knead: out of memory, or of threads\n", stderr);
    return internal_error;
}
