#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
    CLI::App app("Contact for soft things.", "knead");
    app.require_subcommand(1);
    CLI11_PARSE(app, argc, argv);
    return 0;
}
