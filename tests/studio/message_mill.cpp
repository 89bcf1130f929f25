#include "studio/message_mill.hpp"

#include "knead/base/file.hpp"
#include "knead/scene/picture/picture.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <set>

namespace knead::studio {
namespace fs = std::filesystem;

namespace {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : generator_(seed) {}

    std::size_t below(std::size_t count) { return generator_() % count; }
    int from_to(int first, int last) {
        return first + static_cast<int>(below(static_cast<std::size_t>(last - first + 1)));
    }
    bool one_in(std::size_t count) { return below(count) == 0; }
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(below(1 << 20)) / (1 << 20);
    }
    template <typename List>
    const auto& any_of(const List& list) {
        return list[below(std::size(list))];
    }

private:
    std::mt19937_64 generator_;
};

void cap(TestJson& number, double most) {
    if (number.is_number() && number.get<double>() > most) number = most;
    if (number.is_array())
        for (TestJson& item : number) cap(item, most);
}

// A frame is solved in some milliseconds then, even with sanitizers.
void make_coarse(TestJson& value) {
    if (!value.is_structured()) return;
    if (value.is_object()) {
        for (const auto& [key, most] : {std::pair{"subdivisions", 2},
                                        {"resolution", 12},
                                        {"rows", 10},
                                        {"cells", 10},
                                        {"targets", 30}})
            if (value.contains(key)) cap(value[key], most);
        // Of a blob: at most the diameter of its thinnest segment.
        if (value.contains("edge") && value.contains("segments")) {
            double edge = 3 * value["edge"].get<double>();
            for (const TestJson& segment : value["segments"])
                for (const TestJson& radius : segment.at("radii"))
                    edge = std::min(edge, 2 * radius.get<double>());
            value["edge"] = edge;
        }
    }
    for (TestJson& item : value) make_coarse(item);
}

constexpr std::array shapes = {"sphere", "capsule", "grid", "box", "torus"};
constexpr std::array scene_names = {"a.json", "b.json", "deeper/c.json"};
constexpr std::array odd_texts = {"",
                                  "x",
                                  "..",
                                  "../../outside.json",
                                  "/etc/passwd",
                                  "a.json",
                                  "deform",
                                  "dynamics",
                                  "implicit",
                                  "auto",
                                  "hand.####.obj",
                                  "####",
                                  "left:right",
                                  "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80",
                                  "\xEF\xBF\xBF",
                                  "\x01\x7F",
                                  "1e999",
                                  "objects[0]"};
constexpr std::array odd_numbers = {0.0,   -0.0,  -1.0,   0.5,    1.0,         2.0,
                                    3.0,   7.0,   1e-300, -1e-9,  1e9,         -1e9,
                                    1e100, 1e308, 2.5e9,  65536., 4294967296., 9007199254740993.,
                                    1e-3,  360.0};

// Blobs and implicit solids take a hundred times longer than the others, even when they are coarse.
bool is_slow(const TestJson& document) {
    return document.value("method", "") == "implicit" ||
           document.dump().find("\"blob\"") != std::string::npos;
}

const TestJson& any_document(const MillStock& stock, Dice& dice) {
    return dice.any_of(dice.one_in(25) && !stock.slow.empty() ? stock.slow : stock.documents);
}

// Makes up a conversation as long as it is valid.
class Speaker {
public:
    Speaker(const MillStock& stock, Dice& dice) : stock_(stock), dice_(dice) {
        document_ = any_document(stock_, dice_);
    }

    std::vector<TestJson> speak() {
        if (!dice_.one_in(4)) say({{"do", "hello"}});
        if (dice_.one_in(3)) say({{"do", "document"}, {"document", document_}});
        const int count = dice_.from_to(3, 24);
        for (int i = 0; i < count; ++i) next();
        return std::move(said_);
    }

private:
    // An announcement is followed by its file, which has a member that no request has.
    void say(TestJson request) {
        request["id"] = ++id_;
        said_.push_back(std::move(request));
    }

    void next() {
        switch (dice_.below(20)) {
        case 0:
            document_ = any_document(stock_, dice_);
            return say({{"do", "document"}, {"document", document_}});
        case 1:
            edit();
            return say({{"do", "document"}, {"document", document_}});
        case 2:
        case 3:
            return say({{"do", "mesh"}, {"object", object()}});
        case 4:
        case 5:
            return stroke();
        case 6:
            return upload_mesh();
        case 7:
            return upload_values();
        case 8:
            return save();
        case 9:
            return export_frames();
        case 10:
            return ask_around();
        case 11:
            say({{"do", "solve"}, {"frame", frame()}});
            // A file that is dropped right after a frame was asked for.
            document_ = any_document(stock_, dice_);
            return say({{"do", "document"}, {"document", document_}});
        default:
            return solve();
        }
    }

    void solve() {
        TestJson request = {{"do", "solve"}, {"frame", frame()}};
        if (!dice_.one_in(3)) {
            TestJson names = TestJson::array();
            for (int i = dice_.from_to(0, 3); i > 0; --i) names.push_back(field());
            request["fields"] = names;
        }
        if (dice_.one_in(2)) {
            if (!dice_.one_in(3)) edit();
            request["document"] = document_;
        }
        if (dice_.one_in(8)) request["path"] = dice_.any_of(scene_names);
        say(std::move(request));
    }

    // What a person does to a scene with one gesture.
    void edit() {
        TestJson& objects = document_["objects"];
        if (!objects.is_array() || objects.empty()) return;
        TestJson& one = objects[dice_.below(objects.size())];
        switch (dice_.below(12)) {
        case 0:
            one["stiffness"] = dice_.between(0, 5);
            break;
        case 1:
            one["bulge"] = dice_.between(0, 3);
            break;
        case 2:
            one["transform"]["translate"] = point();
            break;
        case 3:
            one["stiffness"] = {{"keys", {{1, 1}, {10 + dice_.below(9), dice_.between(0, 4)}}}};
            break;
        case 4:
            one["name"] = "object " + std::to_string(dice_.below(3));
            break;
        case 5:
            objects.push_back({{"name", "new " + std::to_string(id_)},
                               {"mesh", {{dice_.any_of(shapes), TestJson::object()}}},
                               {"transform", {{"translate", point()}}}});
            make_coarse(objects.back());
            // What is not said has the default, which is finer.
            objects.back()["mesh"].front() = coarse_shape(objects.back()["mesh"].begin().key());
            break;
        case 6:
            if (objects.size() > 1) objects.erase(dice_.below(objects.size()));
            break;
        case 7:
            document_["method"] = dice_.any_of(std::array{"deform", "dynamics", "implicit"});
            break;
        case 8:
            one["rigid"] = dice_.one_in(2);
            break;
        case 9:
            one["attributes"]["firm"] = {
                {"base", dice_.between(0, 1)},
                {"strokes", {{{"at", point()}, {"radius", dice_.between(0.1, 1)}}}}};
            one["stiffness"] = {{"map", "firm"}, {"low", 1}, {"high", 4}};
            break;
        case 10:
            if (!meshes_.empty()) one["mesh"] = dice_.any_of(meshes_);
            break;
        default:
            document_["frames"] = {1, dice_.from_to(1, 30)};
        }
    }

    static TestJson coarse_shape(const std::string& shape) {
        if (shape == "sphere") return {{"subdivisions", 2}};
        if (shape == "grid") return {{"cells", {8, 8}}};
        if (shape == "box") return {{"cells", {4, 4, 4}}};
        return {{"resolution", 10}};
    }

    void stroke() {
        TestJson request = {{"do", dice_.one_in(2) ? "paint" : "brush"},
                            {"brush", dice_.one_in(3) ? "radial" : "local"},
                            {"object", object()},
                            {"at", point()},
                            {"radius", dice_.between(0.05, 2)},
                            {"frame", frame()}};
        if (dice_.one_in(2)) request["falloff"] = dice_.between(0, 1);
        if (dice_.one_in(3)) request["distance"] = dice_.one_in(2) ? "geodesic" : "euclidean";
        if (dice_.one_in(3)) request["mirror"] = {{"normal", {1, 0, 0}}};
        if (dice_.one_in(2))
            request["operation"] = dice_.any_of(std::array{"set", "add", "subtract", "smooth"});
        if (dice_.one_in(2)) request["value"] = dice_.between(-1, 2);
        if (dice_.one_in(3)) request["strength"] = dice_.between(0, 1);
        switch (dice_.below(5)) {
        case 0:
            request["attribute"] = "firm";
            break;
        case 1:
            request["base"] = dice_.between(0, 1);
            break;
        case 2:
            if (!values_.empty()) request["values"] = dice_.any_of(values_);
            break;
        case 3:
            request["values"] = std::vector<double>(162, 0.5);
            break;
        default:
            break;
        }
        say(std::move(request));
    }

    void send_file(const std::string& name, const std::string& content) {
        say({{"do", "asset"}, {"name", name}, {"bytes", content.size()}});
        said_.push_back({{"bytes of", TestJson::binary({content.begin(), content.end()})}});
    }

    void upload_mesh() {
        const MillStock::Mesh& mesh = dice_.any_of(stock_.meshes);
        const std::string name = "drop" + std::to_string(dice_.below(3)) + mesh.ending;
        send_file(name, mesh.content);
        meshes_.push_back(name);
        document_["objects"].push_back({{"name", "drop " + std::to_string(id_)}, {"mesh", name}});
        solve();
    }

    void upload_values() {
        std::string csv;
        const int rows = dice_.any_of(std::array{1, 4, 162, 642});
        for (int i = 0; i < rows; ++i) csv += std::to_string(dice_.between(0, 1)) + "\n";
        values_.push_back("values" + std::to_string(dice_.below(3)) + ".csv");
        send_file(values_.back(), csv);
        document_["objects"][0]["attributes"]["firm"] = values_.back();
    }

    void save() {
        TestJson request = {{"do", "save"},
                            {"path", dice_.any_of(scene_names)},
                            {"document", document_},
                            {"overwrite", dice_.one_in(2)}};
        std::set<std::string> all(meshes_.begin(), meshes_.end());
        all.insert(values_.begin(), values_.end());
        if (!dice_.one_in(4)) request["assets"] = all;
        if (dice_.one_in(4)) request["revision"] = "0123456789abcdef";
        if (dice_.one_in(4)) request["saved_assets"] = {{"drop0.obj", "0123456789abcdef"}};
        say(std::move(request));
    }

    void export_frames() {
        const int first = dice_.from_to(1, 5);
        TestJson request = {
            {"do", "export"},
            {"format", dice_.any_of(std::array{"obj", "ply", "pc2", "glb", "usda"})},
            {"frames", {first, first + dice_.from_to(0, 2)}}};
        if (dice_.one_in(3)) request["step"] = 0.5;
        request["to"] = dice_.one_in(2) ? "download" : "folder";
        if (request["to"] == "folder") request["path"] = "out" + std::to_string(dice_.below(2));
        say(std::move(request));
        if (dice_.one_in(2)) say({{"do", "cancel"}, {"of", id_}});
    }

    void ask_around() {
        switch (dice_.below(4)) {
        case 0:
            return say({{"do", "scenes"}});
        case 1:
            return say({{"do", "open"}, {"path", dice_.any_of(scene_names)}});
        case 2:
            return say({{"do", "demo"}, {"name", "pair"}});
        default:
            return say({{"do", "cancel"}, {"of", dice_.below(id_ + 1)}});
        }
    }

    TestJson frame() {
        if (dice_.one_in(6)) return dice_.between(-3, 60);
        return dice_.from_to(1, 12);
    }
    std::string field() {
        if (dice_.one_in(5)) return dice_.one_in(2) ? "firm" : "unheard";
        return std::string(dice_.any_of(field_names()).name);
    }
    TestJson point() { return {dice_.between(-1, 1), dice_.between(-1, 1), dice_.between(-1, 1)}; }
    TestJson object() {
        const TestJson& objects = document_["objects"];
        if (!objects.is_array() || objects.empty()) return "nobody";
        const TestJson& one = objects[dice_.below(objects.size())];
        return one.is_object() ? one.value("name", "nobody") : "nobody";
    }

    const MillStock& stock_;
    Dice& dice_;
    TestJson document_;
    std::vector<std::string> meshes_, values_; // that have been sent
    std::vector<TestJson> said_;
    unsigned id_ = 0;
};

void collect(TestJson& value, std::vector<TestJson*>& all) {
    all.push_back(&value);
    if (value.is_structured())
        for (TestJson& item : value) collect(item, all);
}

TestJson odd_value(Dice& dice) {
    switch (dice.below(8)) {
    case 0:
        return nullptr;
    case 1:
        return dice.one_in(2);
    case 2:
        return dice.any_of(odd_texts);
    case 3:
        return TestJson::array();
    case 4:
        return TestJson::object();
    case 5:
        return std::string(dice.below(3000), 'x');
    default:
        return dice.any_of(odd_numbers);
    }
}

// One value or key of a message is another one.
void spoil(TestJson& message, Dice& dice) {
    std::vector<TestJson*> all;
    if (message.is_object() && !dice.one_in(10)) {
        // Without an id and something to do it would end the conversation.
        for (auto& [key, value] : message.items())
            if (key != "id" && key != "do") collect(value, all);
    } else {
        collect(message, all);
    }
    if (all.empty()) return;
    TestJson& one = *all[dice.below(all.size())];
    TestJson& other = *all[dice.below(all.size())];
    switch (dice.below(8)) {
    case 0:
        if (one.is_object() && !one.empty()) {
            const auto member = std::next(one.begin(), static_cast<int>(dice.below(one.size())));
            const std::string key = member.key();
            one.erase(key);
            break;
        }
        [[fallthrough]];
    case 1:
        if (one.is_array() && !one.empty()) {
            if (dice.one_in(2))
                one.erase(dice.below(one.size()));
            else
                one.push_back(TestJson(one[dice.below(one.size())]));
            break;
        }
        [[fallthrough]];
    case 2:
        if (one.is_object()) {
            one[dice.any_of(odd_texts)] = odd_value(dice);
            break;
        }
        [[fallthrough]];
    case 3:
        if (one.is_number()) {
            one = one.get<double>() * dice.any_of(std::array{-1.0, 0.0, 0.1, 3.0, 1e6});
            break;
        }
        [[fallthrough]];
    case 4:
        // Copied first: one may be a part of the other.
        one = TestJson(other);
        break;
    default:
        one = odd_value(dice);
    }
}

PageMessage written(const TestJson& message) {
    if (!message.is_object() || !message.contains("bytes of"))
        return {PageMessage::Way::text, message.dump(), {}, false};
    const auto& bytes = message.at("bytes of");
    if (!bytes.is_binary()) return {PageMessage::Way::binary, bytes.dump(), {}, false};
    return {PageMessage::Way::binary,
            {bytes.get_binary().begin(), bytes.get_binary().end()},
            {},
            false};
}

void spoil_bytes(PageMessage& message, Dice& dice) {
    switch (dice.below(6)) {
    case 0:
        message.way = PageMessage::Way::broken_off;
        break;
    case 1:
        message.way = message.way == PageMessage::Way::text ? PageMessage::Way::binary
                                                            : PageMessage::Way::text;
        break;
    case 2:
        message.bytes.resize(dice.below(message.bytes.size() + 1));
        break;
    default:
        if (!message.bytes.empty())
            message.bytes[dice.below(message.bytes.size())] = static_cast<char>(dice.below(256));
    }
}

} // namespace

MillStock read_stock(const fs::path& scenes, const fs::path& meshes) {
    constexpr std::array endings = {".obj", ".ply", ".stl", ".off", ".gltf"};
    const auto sorted_files = [](const fs::path& folder) {
        std::set<fs::path> files;
        for (const auto& entry : fs::directory_iterator(folder)) files.insert(entry.path());
        return files;
    };
    MillStock stock;
    for (const fs::path& path : sorted_files(scenes)) {
        TestJson document = TestJson::parse(read_text_file(path));
        make_coarse(document);
        (is_slow(document) ? stock.slow : stock.documents).push_back(std::move(document));
    }
    for (const fs::path& path : sorted_files(meshes)) {
        const std::string bytes = read_text_file(path);
        const auto format = static_cast<unsigned char>(bytes.at(0)) % endings.size();
        stock.meshes.push_back({endings[format], bytes.substr(1)});
    }
    return stock;
}

std::vector<PageMessage> make_conversation(const MillStock& stock, std::uint64_t seed) {
    Dice dice(seed);
    std::vector<TestJson> said = Speaker(stock, dice).speak();
    const bool valid = dice.one_in(3);
    if (!valid) {
        for (TestJson& message : said)
            if (dice.one_in(4)) spoil(message, dice);
        if (dice.one_in(3)) std::swap(said[dice.below(said.size())], said[dice.below(said.size())]);
        if (dice.one_in(4)) said.push_back(TestJson(said[dice.below(said.size())]));
        if (dice.one_in(8)) said.erase(said.begin() + static_cast<int>(dice.below(said.size())));
    }
    std::vector<PageMessage> messages;
    for (const TestJson& message : said) {
        PageMessage next = written(message);
        // Long enough now and then that a frame is measured, which begins after 80 ms of quiet.
        if (dice.one_in(12)) next.pause = std::chrono::milliseconds(dice.below(120));
        next.waits = dice.one_in(5);
        if (!valid && dice.one_in(25)) spoil_bytes(next, dice);
        messages.push_back(std::move(next));
    }
    return messages;
}

} // namespace knead::studio
