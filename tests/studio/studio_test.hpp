#pragma once

#include "knead/base/file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "own_folder.hpp"
#include "server/studio.hpp"
#include "studio/page_client.hpp"

namespace knead::studio {

/// A folder with a scene in it, and a studio that serves it.
class StudioTest : public testing::Test {
protected:
    StudioTest() {
        write_file_atomically(folder.path() / "balls.json", balls().dump(2));
        settings.scene = folder.path() / "balls.json";
        settings.demos = {{"pair", "Two balls.", balls().dump()}};
    }

    Studio& studio() {
        if (!studio_) studio_ = std::make_unique<Studio>(settings);
        return *studio_;
    }
    int port() { return studio().port(); }
    std::string token() {
        const std::string url = studio().url();
        return url.substr(url.find('=') + 1);
    }
    PageClient connect() { return PageClient(port(), token()); }
    void stop() { studio_.reset(); }

    /// Two soft balls, the second of which comes nearer.
    static TestJson balls() {
        return {{"knead", 1},
                {"frames", {1, 10}},
                {"objects",
                 {{{"name", "left"}, {"mesh", {{"sphere", {{"subdivisions", 3}}}}}},
                  {{"name", "right"},
                   {"mesh", {{"sphere", {{"subdivisions", 3}}}}},
                   {"transform",
                    {{"translate", {{"keys", {{1, {2.1, 0, 0}}, {10, {1.6, 0, 0}}}}}}}}}}}};
    }

    /// Waits for something that another thread does.
    template <typename Holds>
    static bool comes_true(const Holds& holds,
                           std::chrono::milliseconds patience = std::chrono::seconds(20)) {
        const auto end = std::chrono::steady_clock::now() + patience;
        while (!holds()) {
            if (std::chrono::steady_clock::now() > end) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return true;
    }

    OwnFolder folder;
    StudioSettings settings;

private:
    std::unique_ptr<Studio> studio_;
};

} // namespace knead::studio
