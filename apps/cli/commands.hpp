#pragma once

#include <CLI/CLI.hpp>

#include <stdexcept>

namespace knead::cli {

/// An option's value that makes no sense, found by the command itself.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Each adds its command, options and help to the program. What a command throws is turned into one
// line on standard error and an exit code by `main`.
void add_run(CLI::App& app);
void add_render(CLI::App& app);
void add_inspect(CLI::App& app);
void add_demo(CLI::App& app);
void add_bench(CLI::App& app);
void add_controls(CLI::App& app);
void add_studio(CLI::App& app);

} // namespace knead::cli
