#pragma once

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace knead {

/// A new, empty folder that no other test and no other run shares; it goes away with the object.
/// Tests run side by side, so a fixed name in the folder for temporary files would sooner or later
/// be used twice.
class OwnFolder {
public:
    OwnFolder() {
        std::string name = std::filesystem::canonical(testing::TempDir()) / "knead_XXXXXX";
        if (!mkdtemp(name.data()))
            throw std::filesystem::filesystem_error("cannot make a folder", name,
                                                    {errno, std::generic_category()});
        path_ = name;
    }
    ~OwnFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace knead
