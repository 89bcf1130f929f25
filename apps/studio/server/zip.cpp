#include "zip.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"

#include <fmt/format.h>

#include <boost/crc.hpp>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace knead::studio {
namespace fs = std::filesystem;

namespace {

constexpr std::uint16_t version = 20;
// 1 January 1980, the first day that the format knows: the same files give the same archive.
constexpr std::uint16_t no_date = 0x21;
constexpr std::uint64_t most_bytes = std::numeric_limits<std::uint32_t>::max();

struct Entry {
    std::string name;
    std::uint32_t size = 0, crc = 0, offset = 0;
};

class Bytes {
public:
    Bytes& u16(std::size_t value) { return put(value, 2); }
    Bytes& u32(std::size_t value) { return put(value, 4); }
    Bytes& text(const std::string& value) {
        bytes_ += value;
        return *this;
    }
    const std::string& get() const { return bytes_; }

private:
    Bytes& put(std::size_t value, int count) {
        for (int i = 0; i < count; ++i, value >>= 8) bytes_ += static_cast<char>(value & 0xFF);
        return *this;
    }
    std::string bytes_;
};

template <typename Use>
void for_each_piece(const fs::path& path, const Use& use) {
    std::ifstream in(path, std::ios::binary);
    std::vector<char> piece(1 << 20);
    while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0)
        use(piece.data(), in.gcount());
}

Entry look_at(const fs::path& path) {
    boost::crc_32_type crc;
    std::uint64_t size = 0;
    for_each_piece(path, [&](const char* data, std::streamsize count) {
        crc.process_bytes(data, static_cast<std::size_t>(count));
        size += static_cast<std::uint64_t>(count);
    });
    if (size > most_bytes)
        throw InputError(
            fmt::format("{}: more than 4 GiB do not fit into a ZIP archive", path.string()));
    return {path.filename().string(), static_cast<std::uint32_t>(size), crc.checksum(), 0};
}

// What a local header and an entry of the directory have in common.
Bytes& describe(Bytes& to, const Entry& entry) {
    constexpr std::size_t utf8_names = 1 << 11, stored = 0;
    return to.u16(utf8_names)
        .u16(stored)
        .u16(0)
        .u16(no_date)
        .u32(entry.crc)
        .u32(entry.size)
        .u32(entry.size);
}

} // namespace

void write_zip(const fs::path& archive, std::span<const fs::path> files) {
    if (files.size() > 65535)
        throw InputError("more than 65535 files do not fit into a ZIP archive");
    write_file_atomically(archive, [&](std::ostream& out) {
        std::vector<Entry> entries;
        std::uint64_t offset = 0;
        const auto write = [&](const std::string& bytes) {
            out << bytes;
            offset += bytes.size();
        };
        for (const fs::path& file : files) {
            Entry entry = look_at(file);
            entry.offset = static_cast<std::uint32_t>(offset);
            Bytes head;
            describe(head.u32(0x04034B50).u16(version), entry)
                .u16(entry.name.size())
                .u16(0)
                .text(entry.name);
            write(head.get());
            for_each_piece(
                file, [&](const char* data, std::streamsize count) { out.write(data, count); });
            offset += entry.size;
            if (offset > most_bytes)
                throw InputError("more than 4 GiB do not fit into a ZIP archive");
            entries.push_back(std::move(entry));
        }
        const std::uint64_t directory = offset;
        for (const Entry& entry : entries) {
            Bytes record;
            describe(record.u32(0x02014B50).u16(version).u16(version), entry)
                .u16(entry.name.size())
                .u16(0)
                .u16(0)
                .u16(0)
                .u16(0)
                .u32(0)
                .u32(entry.offset)
                .text(entry.name);
            write(record.get());
        }
        const std::uint64_t directory_size = offset - directory;
        Bytes end;
        end.u32(0x06054B50).u16(0).u16(0).u16(entries.size()).u16(entries.size());
        write(end.u32(directory_size).u32(directory).u16(0).get());
    });
}

} // namespace knead::studio
