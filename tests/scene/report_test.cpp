#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/scene/judge/report.hpp"

#include <gtest/gtest.h>

#include "own_folder.hpp"

namespace knead {
namespace {
namespace fs = std::filesystem;

FrameReport example(double frame) {
    FrameReport report;
    report.frame = frame;
    report.objects = {{"floor", 9, 0, 0, 0, 0, 0, {}},
                      {"ball", 2562, 4.18, 4.17, 0.31, 120, 900, {}}};
    report.contacts = {
        {{"ball", "floor"}, Vec3(0, 1, 0), {0.51, 0.5}, 0.31, 1.0 / 3, 96, 0, "n", {}, {}}};
    report.milliseconds = {{"intersect", 0.4}, {"total", 2.6}};
    return report;
}

class ReportTest : public testing::Test {
protected:
    OwnFolder folder;
    fs::path path = folder.path() / "report.json";

    std::string message_of(const std::string& text) {
        write_file_atomically(path, text);
        try {
            read_report(path);
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    }
};

TEST_F(ReportTest, KeepsFramesInOrderAndOneEntryAFrame) {
    Report report{"s.json", "00", {}};
    for (const double frame : {3.0, 1.0, 2.5, 3.0}) add_frame(report, example(frame));
    ASSERT_EQ(report.frames.size(), 3u);
    EXPECT_EQ(report.frames[0].frame, 1);
    EXPECT_EQ(report.frames[1].frame, 2.5);
    EXPECT_NE(find_frame(report, 2.5), nullptr);
    EXPECT_EQ(find_frame(report, 2), nullptr);
}

TEST_F(ReportTest, ReadsBackWhatItWrote) {
    Report report{"s.json", "0f", {}};
    add_frame(report, example(1));
    add_frame(report, example(1.25));
    write_report(path, report);
    const std::string text = read_text_file(path);
    const Report back = read_report(path);
    EXPECT_EQ(back.scene_hash, "0f");
    ASSERT_EQ(back.frames.size(), 2u);
    EXPECT_EQ(back.frames[0].contacts[0].depth_after, 1.0 / 3);
    EXPECT_EQ(back.frames[0].contacts[0].note, "n");
    EXPECT_EQ(back.frames[0].objects[1].name, "ball");
    write_report(path, back);
    EXPECT_EQ(read_text_file(path), text);
}

TEST_F(ReportTest, HasTheKeysOfTheContract) {
    Report report{"s.json", "0f", {}};
    add_frame(report, example(12));
    write_report(path, report);
    EXPECT_EQ(read_text_file(path),
              R"({"knead": 1, "scene": "s.json", "scene_hash": "0f", "frames": [
{"frame":12,"objects":{"floor":{"vertices":9,"volume_before":0.0,"volume_after":0.0,"max_displacement":0.0,"contact_vertices":0,"deformed_vertices":0},"ball":{"vertices":2562,"volume_before":4.18,"volume_after":4.17,"max_displacement":0.31,"contact_vertices":120,"deformed_vertices":900}},"contacts":[{"between":["ball","floor"],"direction":[0.0,1.0,0.0],"zone_area":[0.51,0.5],"depth_before":0.31,"depth_after":0.3333333333333333,"crossings_before":96,"crossings_after":0,"note":"n"}],"milliseconds":{"intersect":0.4,"total":2.6}}
]}
)");
}

TEST_F(ReportTest, ASimulatedFrameHasItsOwn) {
    Report report{"s.json", "0f", {}};
    FrameReport frame = example(2);
    frame.objects.clear();
    frame.contacts.clear();
    frame.dynamics =
        DynamicsReport{3, {1, 2, 1}, 1, 0, 12, 0.5, 0.25, 2, -0.125, 0, 1e-3, {}, {"n"}};
    add_frame(report, frame);
    frame.frame = 3;
    frame.dynamics->smallest_distance = 1.0 / 3;
    frame.dynamics->notes.clear();
    add_frame(report, frame);
    write_report(path, report);
    const std::string text = read_text_file(path);
    EXPECT_NE(
        text.find(
            R"({"frame":2,"objects":{},"contacts":[],"steps":3,"refinement_rounds":[1,2,1],"halvings":1,"last_resorts":0,"contacts_active":12,"energy":2.75,"energies":{"kinetic":0.5,"elastic":0.25,"potential":2.0,"work":-0.125},"crossings":0,"tolerance":0.001,"smallest_distance":null,"notes":["n"],"milliseconds":{"intersect":0.4,"total":2.6}})"),
        std::string::npos)
        << text;
    const Report back = read_report(path);
    EXPECT_FALSE(back.frames[0].dynamics->smallest_distance);
    EXPECT_EQ(back.frames[1].dynamics->smallest_distance, 1.0 / 3);
    EXPECT_EQ(back.frames[0].dynamics->refinement_rounds, (std::vector{1, 2, 1}));
    write_report(path, back);
    EXPECT_EQ(read_text_file(path), text);
}

TEST_F(ReportTest, SaysWhatIsNotAReport) {
    const std::string rest = ", expected a report of Knead; move the file away, or choose another "
                             "folder or file for the report";
    EXPECT_EQ(message_of("{\"knead\": 2}"), path.string() + ": knead: found 2" + rest);
    for (const char* other : {"[1, 2]", "{\"coverage\": 97}", "3"})
        EXPECT_EQ(message_of(other), path.string() + ": found JSON without the key knead" + rest);
    EXPECT_EQ(message_of(""), path.string() + ": found no JSON at byte 1" + rest);
    EXPECT_EQ(message_of("{\"knead\": 1, "), path.string() + ": found no JSON at byte 14" + rest);
    for (const char* other :
         {"{\"knead\": 1, \"objects\": []}", "{\"knead\": 1, \"scene\": 3, \"frames\": []}",
          "{\"knead\": 1, \"scene\": \"s\", \"frames\": [3]}",
          "{\"knead\": 1, \"scene\": \"s\", \"caches\": [1], \"frames\": []}"})
        EXPECT_EQ(message_of(other),
                  path.string() + ": found JSON that is something else of Knead" + rest);
}

} // namespace
} // namespace knead
