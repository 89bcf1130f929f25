// Runs a fuzz target over the files of a folder, and over each of them cut short and with single
// bytes changed, so that every build takes a short walk around the corpus.
#include "knead/base/file.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run(const std::string& bytes) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

} // namespace

int main(int argument_count, char** arguments) {
    int files = 0;
    for (int i = 1; i < argument_count; ++i) {
        std::set<std::filesystem::path> paths;
        for (const auto& entry : std::filesystem::directory_iterator(arguments[i]))
            paths.insert(entry.path());
        for (const std::filesystem::path& path : paths) {
            const std::string bytes = knead::read_text_file(path);
            run(bytes);
            for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 500) {
                run(bytes.substr(0, at));
                std::string changed = bytes;
                for (const char value : {'\0', '\xFF', '9', '-', '\n'}) {
                    changed[at] = value;
                    run(changed);
                }
            }
            ++files;
        }
    }
    std::printf("%d files\n", files);
    return files > 0 ? 0 : 1;
}
