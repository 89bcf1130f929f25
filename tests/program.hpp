#pragma once

#include "knead/base/file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <sys/wait.h>

#include "own_folder.hpp"
#include "without_timings.hpp"

namespace knead {

namespace fs = std::filesystem;

/// What the program printed, and how it ended.
struct Outcome {
    int code = -1;
    std::string out;
    std::string err;
};

/// A folder of the test's own, and the program in it.
class Program : public testing::Test {
protected:
    OwnFolder own;
    const fs::path& folder = own.path();

    /// Runs `knead ARGUMENTS` with the shell in the test's folder.
    Outcome knead(const std::string& arguments) {
        const std::string command = "cd '" + folder.string() + "' && { '" + KNEAD_PROGRAM + "' " +
                                    arguments + "; } > .out 2> .err < /dev/null";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text_file(folder / ".out"),
                read_text_file(folder / ".err")};
    }

    /// Name -> content of all files below a folder, the report's timings taken out.
    std::map<std::string, std::string> content(const std::string& below) {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder / below)) {
            if (!entry.is_regular_file()) continue;
            std::string& text = files[fs::relative(entry.path(), folder / below).string()];
            text = read_text_file(entry.path());
            if (entry.path().filename() == "report.json") text = without_timings(std::move(text));
        }
        return files;
    }
};

} // namespace knead
