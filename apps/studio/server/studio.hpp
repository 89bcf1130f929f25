#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limits.hpp"

namespace knead::studio {

/// A bundled scene that the page offers.
struct Demo {
    std::string name;
    std::string about;
    std::string text; ///< of the scene file
};

struct StudioSettings {
    std::string host = "127.0.0.1"; ///< a numeric address to be reached at
    int port = 0;                   ///< 0: any that is free
    std::string token;              ///< empty: a random one
    std::optional<std::filesystem::path> scene;
    std::optional<std::filesystem::path> page; ///< a folder to serve instead of the embedded page
    std::vector<Demo> demos;
    int threads = 0; ///< for each session and export; 0: all cores
    Limits limits;
};

/// Serves the studio's page and the sessions that it opens, until it is destroyed.
class Studio {
public:
    /// Begins to listen. Throws InputError when the address cannot be had, or the scene or the
    /// page's folder is not there.
    explicit Studio(StudioSettings settings);
    /// Waits for what the sessions are doing; `stop` with some time to make sure that is short.
    ~Studio();
    Studio(const Studio&) = delete;
    Studio& operator=(const Studio&) = delete;

    int port() const;
    /// With the token: whoever has it may use the studio.
    std::string url() const;
    /// The same for one browser alone: a key instead of the token, void after its first use and
    /// when another is asked for. For command lines, which other users of the machine can see.
    std::string opening_url();

    /// Ends all connections and removes what pages have sent. False when a session still computes
    /// after that time.
    bool stop(std::chrono::milliseconds patience);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace knead::studio
