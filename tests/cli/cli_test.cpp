#include "knead/scene/json.hpp"

#include <fmt/format.h>

#include "processor_time.hpp"
#include "program.hpp"

namespace knead {
namespace {

constexpr const char* ball_on_floor = R"({"knead": 1, "frames": [1, 3], "objects": [
  {"name": "ball", "mesh": {"sphere": {"radius": 1, "subdivisions": 2}},
   "transform": {"translate": {"keys": [[1, [0, 1.1, 0]], [3, [0, 0.7, 0]]]}}},
  {"name": "floor", "mesh": {"grid": {"size": [4, 4], "cells": [8, 8]}}, "rigid": true}]})";

// A cube falls onto the floor within the first frames and rests there.
constexpr const char* cube_on_floor = R"({"knead": 1, "frames": [1, 12], "fps": 50, "objects": [
  {"name": "cube", "mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [4, 4, 4]}},
   "transform": {"translate": [0, 0.12, 0]}, "body": {"type": "rigid"}},
  {"name": "floor", "mesh": {"grid": {"size": [1, 1], "cells": [8, 8]}}, "rigid": true}]})";

class Cli : public Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write_file_atomically(folder / "ball.json", ball_on_floor);
        write_file_atomically(folder / "cube.json", cube_on_floor);
    }
    std::string only_line(const Outcome& outcome) {
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        return outcome.err.substr(0, outcome.err.find('\n'));
    }
};

TEST_F(Cli, EveryCommandHasHelpWithAnExample) {
    EXPECT_EQ(knead("--help").code, 0);
    for (const char* command : {"run", "render", "inspect", "demo", "studio", "bench"}) {
        const Outcome help = knead(std::string(command) + " --help");
        EXPECT_EQ(help.code, 0);
        EXPECT_NE(help.out.find("Example:\n  knead " + std::string(command)), std::string::npos);
    }
    EXPECT_EQ(knead("--version").out, "0.1.0\n");
}

TEST_F(Cli, WrongUsageIsTwo) {
    for (const char* arguments :
         {"", "fly", "run", "run ball.json --format abc", "run ball.json --threads -1",
          "run ball.json --method magic", "render ball.json --view 1", "inspect"})
        EXPECT_EQ(knead(arguments).code, 2) << arguments;
}

TEST_F(Cli, OptionsThatMakeNoSenseAreNamed) {
    EXPECT_EQ(only_line(knead("fly ball.json")),
              "knead: unknown command 'fly', expected one of run, render, inspect, demo, studio, "
              "bench");
    EXPECT_EQ(only_line(knead("run ball.json --frames 3:1")),
              "knead: --frames: the range 3:1 runs backwards");
    EXPECT_EQ(only_line(knead("render ball.json --size big")),
              "knead: --size: found 'big', expected WIDTHxHEIGHT such as 960x540");
    EXPECT_EQ(only_line(knead("run ball.json --method magic")),
              "knead: --method: found 'magic', expected deform, dynamics or implicit");
    EXPECT_EQ(
        only_line(knead("run ball.json --method learned")),
        "knead: --method: learned is not in this version, expected deform, dynamics or implicit");
    EXPECT_EQ(only_line(knead("render ball.json --method deform --from results")),
              "knead: --from: only the method implicit keeps descriptions of frames");
    EXPECT_EQ(knead("run ball.json --method learned").code, 2);
    EXPECT_EQ(knead("run ball.json --frames 3:1").code, 2);
    EXPECT_EQ(knead("run ball.json --step -1").code, 2);
}

TEST_F(Cli, TheStudioPrintsItsAddressAndEndsWithCtrlC) {
    const Outcome outcome = knead("studio ball.json --port 0 & "
                                  "while ! grep -q Ctrl-C .out; do sleep 0.1; done; "
                                  "kill -TERM $!; wait $!");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    const std::string begin = "knead studio: http://127.0.0.1:", end = "; Ctrl-C ends it\n";
    ASSERT_TRUE(outcome.out.starts_with(begin) && outcome.out.ends_with(end)) << outcome.out;
    const std::size_t token = outcome.out.find("/?token=") + 8;
    EXPECT_EQ(outcome.out.size() - end.size() - token, 32u) << outcome.out;
    EXPECT_EQ(only_line(knead("studio none.json")), "knead: none.json: no such file");
    EXPECT_EQ(knead("studio none.json").code, 3);
    EXPECT_EQ(knead("studio --port 70000").code, 2);
}

TEST_F(Cli, BadInputIsThreeAndOneLine) {
    EXPECT_EQ(only_line(knead("run none.json")), "knead: none.json: no such file");
    EXPECT_EQ(knead("run none.json").code, 3);
    EXPECT_EQ(only_line(knead("run ball.json --set objects.ball.stifness=2")),
              "knead: --set objects.ball.stifness=2: objects[0].stifness: unknown key, "
              "did you mean "
              "\"stiffness\"?");
    EXPECT_EQ(only_line(knead("render ball.json --field heat")),
              "knead: ball.json: there is no field 'heat', expected one of amplitude, depth, "
              "direction, displacement, eta, gap, pressure, slope, u, zone");
    EXPECT_EQ(only_line(knead("demo spere-on-plane")),
              "knead: demo: there is no demo 'spere-on-plane', did you mean 'sphere-on-plane'?; "
              "knead demo lists them");
    EXPECT_FALSE(fs::exists(folder / "out"));
    EXPECT_FALSE(fs::exists(folder / "pictures"));
}

#ifndef KNEAD_SANITIZED // sanitizers take more addresses than this leaves
TEST_F(Cli, NotEnoughMemoryIsOneLine) {
    const std::string command = "cd '" + folder.string() + "' && ulimit -v 500000 && '" +
                                KNEAD_PROGRAM "' inspect ball.json > .out 2> .err";
    write_file_atomically(folder / "ball.json", R"({"knead": 1, "objects": [
      {"name": "floor", "mesh": {"grid": {"cells": [4000, 4000]}}}]})");
    const int status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 3);
    EXPECT_EQ(read_text_file(folder / ".err"),
              "knead: not enough memory for this input, expected a smaller one\n");
}
#endif

TEST_F(Cli, AFolderThatCannotBeMadeIsNamed) {
    write_file_atomically(folder / "file", "x");
    const Outcome outcome = knead("run ball.json --quiet --out file/out");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(only_line(outcome).rfind("knead: file/out: the folder cannot be made: ", 0), 0u);
}

TEST_F(Cli, RunSaysWhatItDid) {
    const Outcome outcome = knead("run ball.json --out results");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(
        outcome.out,
        "3 frames in results; deepest contact 0.3, at most 0 left; report results/report.json\n");
    EXPECT_EQ(outcome.err.substr(outcome.err.size() - 17), "ball.json: 100 %\n");
    const Outcome again = knead("run ball.json --out results --resume");
    EXPECT_EQ(again.out.rfind("0 frames (3 were there) in results", 0), 0u);
    const Outcome quiet = knead("run ball.json --out quiet --quiet");
    EXPECT_EQ(quiet.out + quiet.err, "");
    EXPECT_EQ(content("results"), content("quiet"));
}

TEST_F(Cli, RenderMakesPicturesAndInspectDescribes) {
    EXPECT_EQ(knead("render ball.json --frames 3 --size 160x90 --samples 1 --field depth --clip 0 "
                    "0 0 0 0 1 --out p")
                  .code,
              0);
    EXPECT_GT(fs::file_size(folder / "p" / "ball.0003.png"), 1000u);
    knead("run ball.json --frames 3 --quiet");
    const Outcome mesh = knead("inspect out/ball.0003.obj");
    EXPECT_EQ(mesh.code, 0);
    EXPECT_NE(mesh.out.find("162 vertices, 320 triangles, 480 edges, 1 component"),
              std::string::npos);
    EXPECT_NE(mesh.out.find("nothing is wrong with it"), std::string::npos);
    const Outcome scene = knead("inspect ball.json");
    EXPECT_NE(scene.out.find("floor: 81 vertices, 128 triangles, open, rigid"), std::string::npos);
    EXPECT_EQ(knead("inspect nothing.obj").code, 3);
}

TEST_F(Cli, InspectFindsJumps) {
    const Outcome smooth = knead("inspect --jumps ball.json");
    EXPECT_EQ(smooth.code, 0);
    EXPECT_EQ(smooth.out.rfind("ball.json: frames 1 to 3, 2 steps\n", 0), 0u);
    const std::string last = "continuous: nothing jumps by more than 1/500 of an edge\n";
    EXPECT_EQ(smooth.out.substr(smooth.out.size() - last.size() - 1), "\n" + last);
    // The ball leaps from frame to frame, high above the floor.
    Outcome leap = knead("inspect --jumps ball.json --frames 1:4 --step 1.5 --threads 2 --set "
                         "'objects.ball.transform.translate.keys="
                         "[[1,[0,1.2,0]],[2,[0,1.2,0]],[2.0000001,[0,1.3,0]]]'");
    EXPECT_EQ(leap.code, 0);
    // All vertices leap as far; which one is first is a matter of rounding.
    if (const std::size_t row = leap.out.find("  2.000000"); row != std::string::npos)
        leap.out.replace(row + 29, 8, "     any");
    EXPECT_EQ(leap.out,
              "ball.json: frames 1 to 4, 2 steps\n"
              "  frame        object          vertex        size     edges       input  what "
              "changed\n"
              "  2.000000     ball               any         0.1     0.334         0.1  nothing to "
              "be seen\n"
              "not continuous: 1 jump above 1/500 of an edge\n");
}

TEST_F(Cli, JumpsWantASceneThatMoves) {
    EXPECT_EQ(only_line(knead("inspect --jumps none.json")), "knead: none.json: no such file");
    EXPECT_EQ(only_line(knead("inspect --jumps hand.obj")),
              "knead: hand.obj: expected a scene (.json) to look for jumps in");
    EXPECT_EQ(only_line(knead("inspect --jumps ball.json --frames 2")),
              "knead: ball.json: found the frame 2 alone, expected a range of frames to look for "
              "jumps in");
    EXPECT_EQ(knead("inspect --jumps ball.json --frames 2").code, 3);
    EXPECT_EQ(only_line(knead("inspect --jumps ball.json --step 0")),
              "knead: --step: the step is 0, expected a positive number");
    EXPECT_EQ(knead("inspect ball.json --step 2").code, 2);
}

TEST_F(Cli, InspectTellsHowLongMorphsPlay) {
    EXPECT_EQ(knead("run ball.json --format glb --out caches --quiet").code, 0);
    const Outcome mesh = knead("inspect caches/ball.glb");
    // Three frames at 24 a second.
    EXPECT_NE(mesh.out.find("'frames', 0.08333 s"), std::string::npos) << mesh.out;
}

TEST_F(Cli, InterruptedRunsLeaveWholeFiles) {
    const Outcome outcome = knead("run ball.json --set frames=[1,20000] --threads 1 --out many "
                                  "--quiet & pid=$!; sleep 1; kill -INT $pid; wait $pid");
    EXPECT_EQ(outcome.code, 130);
    int files = 0;
    for (const auto& entry : fs::directory_iterator(folder / "many")) {
        EXPECT_NE(entry.path().extension(), ".part");
        ++files;
    }
    EXPECT_GT(files, 10);
    EXPECT_LT(files, 40000);
    EXPECT_EQ(knead("run ball.json --set frames=[1,20000] --frames 1:2 --resume --out many")
                  .out.rfind("0 frames (2 were there)", 0),
              0u);
}

// Whatever a run is busy with.
TEST_F(Cli, ARequestToStopIsHeardWithinASecond) {
    constexpr double longest = 1000 * sanitizer_slowdown; // milliseconds
    write_file_atomically(folder / "solids.json", R"({"knead": 1, "method": "implicit",
      "frames": [1, 1000], "objects": [
      {"name": "ball", "skeleton": [{"point": [0, 0, 0]}], "samples": 200000,
       "field": {"radius": 0.5, "influence": 0.8}, "transform": {"translate": [0, 0.9, 0]}},
      {"name": "bar", "skeleton": [{"segment": [[-1, 0, 0], [1, 0, 0]]}], "samples": 200000,
       "field": {"radius": 0.3, "influence": 0.6}, "rigid": true}]})");
    const std::string fine = "--set 'objects.ball.mesh.sphere.subdivisions=8' "
                             "--set 'objects.floor.mesh.grid.cells=[900,900]' ";
    const std::vector<std::string> hard = {
        "run ball.json " + fine + "--set 'frames=[1,1000]' --threads 1 --out deformed --quiet",
        "run cube.json --method dynamics --set 'frames=[1,100000]' --out simulated --quiet "
        "--set 'objects.cube.body={\"type\":\"volume\",\"velocity\":[900,-900,900],\"cells\":9}' "
        "--set 'objects.cube.mesh.box.cells=[16,16,16]'",
        "run solids.json --out pressed --quiet",
        "render ball.json --frames 1 --size 3000x3000 --out pictures"};
    for (const std::string& command : hard)
        for (const char* moment : {"0.2", "1.5"}) {
            const Outcome outcome =
                knead(command + " & pid=$!; sleep " + moment +
                      "; kill -TERM $pid; asked=$(date +%s%N); wait $pid; code=$?; "
                      "echo $(( ($(date +%s%N) - asked) / 1000000 )); exit $code");
            // By the signal itself while it still reads the scene.
            EXPECT_TRUE(outcome.code == 130 || outcome.code == 143)
                << command << ": " << outcome.code << outcome.err;
            EXPECT_LT(std::stod(outcome.out), longest) << command;
        }
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        EXPECT_NE(entry.path().extension(), ".part");
}

TEST_F(Cli, MotionBeyondAllSenseIsNamedAtOnce) {
    const Outcome outcome = knead(
        "run cube.json --method dynamics --out far --set 'objects.cube.body.velocity=[1e9,0,0]'");
    EXPECT_EQ(outcome.code, 4);
    EXPECT_EQ(outcome.err, "knead: cube.json: frame 1.5: body 'cube' would move by 1e+07 in a step "
                           "of 0.01 s, more than 10000 times its size of 0.346; expected slower "
                           "motion or a shorter step\n");
    write_file_atomically(folder / "inf.gltf", R"({"asset": {"version": "2.0"}, "x": 1e908})");
    const Outcome number = knead("inspect inf.gltf");
    EXPECT_EQ(number.code, 3);
    EXPECT_EQ(number.err, "knead: inf.gltf: the JSON has the number '1e908' at byte 36, expected "
                          "numbers from -1.7e308 to 1.7e308\n");
}

TEST_F(Cli, ASimulationSaysWhatItDid) {
    const Outcome outcome = knead("run cube.json --method dynamics --out results");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("12 frames in results; 22 steps of at most "))
        << outcome.out;
    EXPECT_NE(outcome.out.find(", 0 halved, 0 held back; never nearer than "), std::string::npos)
        << outcome.out;
    EXPECT_TRUE(outcome.out.ends_with(", no crossings; report results/report.json\n"))
        << outcome.out;
    EXPECT_EQ(outcome.err.substr(outcome.err.size() - 17), "cube.json: 100 %\n");
    // The scene itself may say so.
    const Outcome quiet = knead("run cube.json --set method=dynamics --quiet --out quiet");
    EXPECT_EQ(quiet.out + quiet.err, "");
    EXPECT_EQ(content("quiet").at("cube.0012.obj"), content("results").at("cube.0012.obj"));
    EXPECT_FALSE(fs::exists(folder / "quiet" / "cube.0013.obj"));
    const Outcome again = knead("run cube.json --method dynamics --out results --resume");
    EXPECT_EQ(again.out.rfind("0 frames (12 were there) in results", 0), 0u) << again.out;
}

TEST_F(Cli, ASimulationThatWasInterruptedGoesOn) {
    const std::string run = "run cube.json --method dynamics --set frames=[1,2000] --quiet ";
    const Outcome outcome =
        knead(run + "--out parts & pid=$!; while [ ! -e parts/cube.0020.obj ]; do sleep 0.02; "
                    "done; kill -INT $pid; wait $pid");
    EXPECT_EQ(outcome.code, 130);
    ASSERT_FALSE(fs::exists(folder / "parts" / "cube.2000.obj"));
    for (const auto& entry : fs::directory_iterator(folder / "parts"))
        EXPECT_NE(entry.path().extension(), ".part");
    int there = 20;
    while (fs::exists(folder / "parts" / fmt::format("cube.{:04d}.obj", there + 1))) ++there;
    const std::string range = fmt::format("--frames 1:{} ", there + 20);
    const Outcome rest = knead(run + range + "--resume --out parts");
    EXPECT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(knead(run + range + "--out whole --threads 1").code, 0);
    EXPECT_EQ(content("parts"), content("whole"));
}

TEST_F(Cli, WhatCannotBeSimulatedIsThreeAndOneLine) {
    const std::string run = "run cube.json --method dynamics --out bad ";
    const auto line = [&](const std::string& set) {
        const Outcome outcome = knead(run + "--set '" + set + "'");
        EXPECT_EQ(outcome.code, 3) << set;
        return only_line(outcome);
    };
    const std::string inside = line("objects.cube.transform.translate=[0,0.05,0]");
    EXPECT_TRUE(inside.starts_with("knead: cube.json: ")) << inside;
    EXPECT_NE(inside.find("cube"), std::string::npos) << inside;
    EXPECT_NE(inside.find("floor"), std::string::npos) << inside;
    EXPECT_EQ(line("objects.cube.body.density=0"),
              "knead: --set objects.cube.body.density=0: objects[0].body.density: found 0, "
              "expected a positive number");
    EXPECT_EQ(line("objects.cube.body.pins=[0]"),
              "knead: --set objects.cube.body.pins=[0]: objects[0].body.pins: found pins of a body "
              "that is not soft, expected \"volume\" or \"cloth\"");
    EXPECT_EQ(line("objects.floor.body={\"type\":\"volume\"}"),
              "knead: --set objects.floor.body={\"type\":\"volume\"}: objects[1].body: found "
              "\"volume\" of a mesh with 32 open edges, expected one that is closed, or \"cloth\" "
              "or \"kinematic\"");
    EXPECT_EQ(line("step=1e-9"),
              "knead: cube.json: step: found 1e-09, which divides a frame into more than 100000 "
              "steps, expected fewer");
    EXPECT_NE(line("objects.cube.body={\"type\":\"cloth\",\"thickness\":0}").find("thickness"),
              std::string::npos);
    EXPECT_FALSE(fs::exists(folder / "bad"));
}

TEST_F(Cli, PicturesOfASimulation) {
    EXPECT_EQ(knead("render cube.json --method dynamics --frames 1:12 --step 11 --size 160x90 "
                    "--samples 1 --out p")
                  .code,
              0);
    EXPECT_EQ(knead("render cube.json --method dynamics --input --frames 12 --size 160x90 "
                    "--samples 1 --out i")
                  .code,
              0);
    EXPECT_NE(content("p").at("cube.0001.png"), content("p").at("cube.0012.png"));
    EXPECT_TRUE(content("i").contains("cube.0012.png"));
}

TEST_F(Cli, BenchMeasuresAndSaysSo) {
    const Outcome outcome = knead("bench lips --frames 3 --json");
    ASSERT_EQ(outcome.code, 0);
    const JsonValue json = parse_json(outcome.out, "bench");
    const JsonValue& lips = json.find("scenes")->list()->front();
    EXPECT_EQ(*json.find("knead")->number(), 1);
    EXPECT_NE(json.find("machine")->text()->find(" cores"), std::string::npos);
    EXPECT_EQ(*lips.find("name")->text(), "lips");
    EXPECT_EQ(*lips.find("threads")->number(), 1);
    EXPECT_GT(*lips.find("milliseconds")->number(), 0);
    EXPECT_GT(*lips.find("baseline_milliseconds")->number(), 0);
    EXPECT_GT(*lips.find("ratio")->number(), 0);
    EXPECT_NEAR(*lips.find("working")->list()->front().number(), 1825 + 1500, 100);
    EXPECT_GT(*json.find("geometric_mean")->number(), 0);
    const Outcome sequence = knead("bench lips --frames 3 --sequence --threads 2 --json");
    EXPECT_EQ(sequence.code, 0) << sequence.err;
    const JsonValue measured = parse_json(sequence.out, "bench");
    const JsonValue& row = measured.find("sequences")->list()->front();
    EXPECT_EQ(*row.find("threads")->number(), 2);
    EXPECT_EQ(*row.find("frames")->number(), 3);
    EXPECT_NEAR(*row.find("speed_up")->number(),
                *row.find("one_milliseconds")->number() / *row.find("all_milliseconds")->number(),
                1e-2);
    EXPECT_EQ(only_line(knead("bench --growth --body")),
              "knead: --growth, --body and --sequence are three measurements, expected one");
    EXPECT_EQ(only_line(knead("bench walk --growth")),
              "knead: --growth has a scene of its own, found 'walk'");
    EXPECT_EQ(only_line(knead("bench walk --body")),
              "knead: --body has a scene of its own, found 'walk'");
    EXPECT_EQ(only_line(knead("bench lisp")),
              "knead: there is no scene 'lisp' to measure, expected one of fingers-ball, "
              "fingers-palm, skinned-finger, lips, body-jelly, walk, hat-egg");
}

TEST_F(Cli, ADemoIsWrittenRunAndPictured) {
    const Outcome outcome = knead("demo capsules-crossing --out d");
    EXPECT_EQ(outcome.code, 0);
    for (const char* name : {"capsules-crossing.json", "report.json", "first.png", "deepest.png",
                             "depth.png", "frames/upper.0048.obj"})
        EXPECT_TRUE(fs::exists(folder / "d" / name)) << name;
    EXPECT_NE(outcome.out.find("pictures: d/first.png"), std::string::npos);
}

} // namespace
} // namespace knead
