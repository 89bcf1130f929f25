#include "knead/scene/format/json.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <pty.h>
#include <regex>
#include <sys/prctl.h>
#include <unistd.h>

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
    for (const char* command :
         {"run", "render", "inspect", "demo", "studio", "bench", "controls"}) {
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
              "bench, controls, help");
    EXPECT_EQ(only_line(knead("run ball.json --frames 3:1")),
              "knead: --frames: the range 3:1 runs backwards; see knead run --help");
    EXPECT_EQ(only_line(knead("render ball.json --size big")),
              "knead: --size: found 'big', expected WIDTHxHEIGHT such as 960x540; see knead render "
              "--help");
    EXPECT_EQ(
        only_line(knead("run ball.json --method magic")),
        "knead: --method: found 'magic', expected deform, dynamics or implicit; see knead run "
        "--help");
    EXPECT_EQ(
        only_line(knead("run ball.json --method learned")),
        "knead: --method: learned is not in this version, expected deform, dynamics or implicit; "
        "see knead run --help");
    EXPECT_EQ(only_line(knead("render ball.json --method deform --from results")),
              "knead: --from: only the method implicit keeps descriptions of frames; see knead "
              "render --help");
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
    const std::string begin = "http://127.0.0.1:",
                      end = "\nThe studio is at this address; Ctrl-C ends it.\n";
    ASSERT_TRUE(outcome.out.starts_with(begin) && outcome.out.ends_with(end)) << outcome.out;
    const std::size_t token = outcome.out.find("/?token=") + 8;
    EXPECT_EQ(outcome.out.size() - end.size() - token, 32u) << outcome.out;
    EXPECT_EQ(only_line(knead("studio none.json")), "knead: none.json: no such file");
    EXPECT_EQ(knead("studio none.json").code, 3);
    EXPECT_EQ(knead("studio --port 70000").code, 2);
}

// In a terminal of its own, with a desktop whose browser writes down what it is to open.
TEST_F(Cli, TheStudioOpensABrowserWhereThereIsOne) {
    write_file_atomically(folder / "xdg-open", "#!/bin/sh\nprintf '%s\n' \"$@\" > opened\n");
    fs::permissions(folder / "xdg-open", fs::perms::owner_all);
    // Then also those that outlive the studio can be waited for.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const auto run = [&](const char* display, const std::string& path, const char* option) {
        int terminal = -1;
        const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
        if (child == 0) {
            unsetenv("WAYLAND_DISPLAY");
            setenv("DISPLAY", display, 1);
            setenv("PATH", path.c_str(), 1);
            if (chdir(folder.c_str()) == 0)
                execl(KNEAD_PROGRAM, "knead", "studio", "ball.json", "--port", "0", option,
                      nullptr);
            _exit(127);
        }
        std::string told;
        char bytes[1000];
        while (told.find("Ctrl-C") == std::string::npos) {
            const ssize_t count = read(terminal, bytes, sizeof bytes);
            if (count <= 0) break;
            told.append(bytes, static_cast<std::size_t>(count));
        }
        kill(child, SIGTERM);
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << told;
        while (wait(nullptr) > 0) {
        }
        close(terminal);
        std::string opened = fs::exists(folder / "opened") ? read_text_file(folder / "opened") : "";
        fs::remove(folder / "opened");
        return std::pair{told.substr(0, told.find("\r\n")), opened};
    };
    const std::string path = folder.string() + ":/usr/bin:/bin";
    const auto [printed, opened] = run(":0", path, nullptr);
    const std::size_t query = printed.find("/?token=");
    ASSERT_NE(query, std::string::npos) << printed;
    // Not the token, which others could read on the command line.
    EXPECT_TRUE(opened.starts_with(printed.substr(0, query) + "/?open=")) << opened;
    EXPECT_EQ(opened.size(), query + 7 + 32 + 1) << opened;
    EXPECT_EQ(run(":0", path, "--no-open").second, "");
    EXPECT_EQ(run("", path, nullptr).second, "");
    // Without a browser there is an address all the same.
    EXPECT_TRUE(run(":0", "/nowhere", nullptr).first.starts_with("http://"));
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

TEST_F(Cli, NothingWritesOverWhatTheSceneReads) {
    ASSERT_EQ(knead("run ball.json --format glb --frames 1 --out . --quiet").code, 0);
    const std::string artists = read_text_file(folder / "ball.glb");
    write_file_atomically(folder / "spot.json",
                          "{\"knead\": 1, \"frames\": [1, 2], \"objects\": [\n"
                          "{\"name\": \"ball\", \"mesh\": \"ball.glb\"}]}");
    const std::string read_by = ": writing this would replace a file that is read ";
    const Outcome over = knead("run spot.json --format glb --out . --quiet");
    EXPECT_EQ(over.code, 3);
    EXPECT_EQ(only_line(over),
              "knead: ./ball.glb" + read_by +
                  "by object 'ball' (spot.json:2: objects[0].mesh); choose another folder with "
                  "--out");
    EXPECT_EQ(only_line(knead("run spot.json --out out --report ./spot.json")),
              "knead: ./spot.json" + read_by +
                  "as the scene itself; choose another file with --report");
    EXPECT_EQ(read_text_file(folder / "ball.glb"), artists);
    EXPECT_FALSE(fs::exists(folder / "out"));

    fs::create_hard_link(folder / "ball.glb", folder / "spot.0001.png");
    const Outcome picture = knead("render spot.json --out . --quiet");
    EXPECT_EQ(picture.code, 3);
    EXPECT_EQ(only_line(picture),
              "knead: ./spot.0001.png" + read_by +
                  "by object 'ball' (spot.json:2: objects[0].mesh); choose another folder with "
                  "--out");
}

TEST_F(Cli, ADemoDoesNotReplaceASceneThatWasWorkedOn) {
    const std::string worked_on = "{\"knead\": 1}";
    write_file_atomically(folder / "demo" / "sphere-on-plane.json", worked_on);
    const Outcome outcome = knead("demo sphere-on-plane --out demo");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(only_line(outcome),
              "knead: demo/sphere-on-plane.json: is there and differs from the bundled scene, "
              "which would replace it; choose another folder with --out, or run it with knead run");
    EXPECT_EQ(read_text_file(folder / "demo" / "sphere-on-plane.json"), worked_on);
}

TEST_F(Cli, HelpIsFoundInEveryWay) {
    const std::string codes =
        "Exit codes: 0 done, 1 a mistake in knead itself, 2 wrong usage, 3 bad input, 4 a solver "
        "gave up, 130 interrupted.\n";
    const Outcome all = knead("help");
    EXPECT_EQ(all.code, 0);
    EXPECT_EQ(all.out, knead("--help").out);
    EXPECT_EQ(all.out, knead("help help").out);
    EXPECT_NE(all.out.find("knead help COMMAND says more about a command.\n" + codes),
              std::string::npos);
    for (const char* command :
         {"run", "render", "inspect", "demo", "studio", "bench", "controls"}) {
        const Outcome help = knead(std::string("help ") + command);
        EXPECT_EQ(help.code, 0);
        EXPECT_EQ(help.out, knead(std::string(command) + " --help").out);
        EXPECT_NE(help.out.find(codes), std::string::npos) << command;
    }
    EXPECT_EQ(only_line(knead("help rnu")), "knead: unknown command 'rnu', did you mean 'run'?");
    EXPECT_EQ(only_line(knead("hepl")), "knead: unknown command 'hepl', did you mean 'help'?");
    EXPECT_EQ(only_line(knead("help run x")),
              "knead: help: found 'run x', expected one command; see knead --help");
    EXPECT_EQ(knead("help run x").code, 2);
}

// The page in the documentation is what the program prints.
TEST_F(Cli, ControlsAreListedForPeopleAndPrograms) {
    const Outcome page = knead("controls");
    EXPECT_EQ(page.code, 0);
    EXPECT_TRUE(page.out == read_text_file(fs::path(KNEAD_SCENES) / "../docs/controls.md"))
        << "docs/controls.md is not what knead controls prints";
    const Outcome list = knead("controls --json");
    EXPECT_EQ(list.code, 0);
    for (const char* part : {"\"path\": \"body.young\"", "\"path\": \"stiffness\"",
                             "\"path\": \"apparent_stiffness\"", "\"path\": \"gravity\""})
        EXPECT_NE(list.out.find(part), std::string::npos) << part;
}

TEST_F(Cli, SlipsAreNamedWithWhatMayBeMeant) {
    const auto line = [&](const std::string& arguments) {
        const Outcome outcome = knead(arguments);
        EXPECT_EQ(outcome.code, 2) << arguments;
        return only_line(outcome);
    };
    EXPECT_EQ(line(""), "knead: expected a command, one of run, render, inspect, demo, studio, "
                        "bench, controls, help; see knead --help");
    EXPECT_EQ(line("rendr ball.json"), "knead: unknown command 'rendr', did you mean 'render'?");
    EXPECT_EQ(line("ball.json"),
              "knead: unknown command 'ball.json', did you mean 'run ball.json'?");
    EXPECT_EQ(line("run ball.json --frame 1:2"),
              "knead: unknown option '--frame', did you mean '--frames'?; see knead run --help");
    EXPECT_EQ(line("render --filed=depth ball.json"),
              "knead: unknown option '--filed', did you mean '--field'?; see knead render --help");
    EXPECT_EQ(line("inspect ball.json --wobble"),
              "knead: unknown option '--wobble'; see knead inspect --help");
    EXPECT_EQ(line("inspect ball.json --quiet"),
              "knead: unknown option '--quiet'; see knead inspect --help");
    EXPECT_EQ(line("run ball.json -q"), "knead: unknown option '-q'; see knead run --help");
    EXPECT_EQ(line("--wobble"), "knead: unknown option '--wobble'; see knead --help");
    for (const std::string command : {"run", "render"}) {
        EXPECT_EQ(line(command + " ball.json --out ''"),
                  "knead: --out: found '', expected a folder; . is the one you are in; see knead " +
                      command + " --help");
        EXPECT_EQ(line(command + " ''"),
                  "knead: scene: found '', expected a scene file (.json); see knead " + command +
                      " --help");
    }
    EXPECT_EQ(line("run"), "knead: scene is required; see knead run --help");
    EXPECT_EQ(line("run ball.json more.json"),
              "knead: The following argument was not expected: more.json; see knead run --help");
    EXPECT_EQ(line("run ball.json b.json c.json"),
              "knead: The following arguments were not expected: b.json c.json; see knead run "
              "--help");
    EXPECT_EQ(line("run ball.json --format fbx"),
              "knead: --format: fbx not in {obj,ply,pc2,glb,usda}; see knead run --help");
    EXPECT_EQ(line("demo --frames 1:2"), "knead: --frames requires name; see knead demo --help");
    for (const char* size : {"0x0", "0x540", "960x0", "-3x5", "960", "x", ""})
        EXPECT_EQ(
            line(fmt::format("render ball.json --size '{}'", size)),
            fmt::format("knead: --size: found '{}', expected WIDTHxHEIGHT such as 960x540; see "
                        "knead render --help",
                        size));
}

TEST_F(Cli, WrongFilesAreNamedForWhatTheyAre) {
    const auto line = [&](const std::string& arguments) {
        const Outcome outcome = knead(arguments);
        EXPECT_EQ(outcome.code, 3) << arguments;
        return only_line(outcome);
    };
    fs::create_directory(folder / "meshes");
    write_file_atomically(folder / "hand.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_file_atomically(folder / "hand", "x");
    EXPECT_EQ(line("inspect meshes"), "knead: meshes: is a folder, expected a mesh file");
    EXPECT_EQ(line("inspect nothing"), "knead: nothing: no such file");
    EXPECT_EQ(line("inspect hand"),
              "knead: hand: the name has no extension, expected .obj, .ply, .stl, .off, .glb, "
              ".gltf or one that assimp reads such as .fbx, .dae or .3ds");
    for (const char* command : {"run", "render"}) {
        EXPECT_EQ(line(std::string(command) + " meshes"),
                  "knead: meshes: is a folder, expected a scene file (.json)");
        EXPECT_EQ(line(std::string(command) + " hand.obj"),
                  "knead: hand.obj: is a mesh, expected a scene file (.json) that names it; knead "
                  "inspect says what a mesh is");
    }
    const std::string rest = ", expected a report of Knead; move the file away, or choose another "
                             "folder or file for the report";
    write_file_atomically(folder / "out" / "report.json", "{\"coverage\": 97}");
    EXPECT_EQ(line("run ball.json"),
              "knead: out/report.json: found JSON without the key knead" + rest);
    write_file_atomically(folder / "out" / "report.json", "{\"knead\": 1, \"fra");
    EXPECT_EQ(line("run ball.json"), "knead: out/report.json: found no JSON at byte 18" + rest);
    EXPECT_EQ(line("run ball.json --out hand"),
              "knead: hand: the folder cannot be made: Not a directory");
}

TEST_F(Cli, WhatCannotBeWrittenIsSaid) {
    // No file may have more than 4 KB.
    Outcome outcome = knead("--version > /dev/null; trap '' XFSZ; ulimit -f 8; '" +
                            std::string(KNEAD_PROGRAM) + "' run ball.json --quiet --threads 1");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(only_line(outcome), "knead: out/ball.0001.obj: writing failed: File too large");
    EXPECT_TRUE(fs::is_empty(folder / "out"));
    outcome = knead("help run > /dev/full");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(only_line(outcome),
              "knead: standard output: cannot be written: No space left on device");
    // A terminal that has gone away changes nothing.
    EXPECT_EQ(knead("run ball.json --frames 1:2 --out heard 2> /dev/full").code, 0);
    EXPECT_TRUE(fs::exists(folder / "heard" / "report.json"));
    EXPECT_EQ(knead("run nothing.json 2> /dev/full").code, 3);
}

TEST_F(Cli, ProgressSaysHowLongItTakes) {
    const std::string run = "run ball.json --set frames=[1,20] --out ";
    const std::string lines = knead(run + "plain").err;
    EXPECT_TRUE(std::regex_match(
        lines, std::regex("(ball\\.json: [0-9]+ %, [0-9]+ (s|min) left\n)+ball\\.json: 100 %\n")))
        << lines;
    const Outcome bar = knead("--version > /dev/null; script -qec \"'" +
                              std::string(KNEAD_PROGRAM) + "' " + run + "bar\" /dev/null");
    EXPECT_TRUE(std::regex_search(
        bar.out, std::regex("\rball\\.json \\[=+ +\\]  50 %  [0-9.]+ s, [0-9]+ (s|min) left")))
        << bar.out;
    EXPECT_TRUE(std::regex_search(bar.out, std::regex("\\[=+\\] 100 %  [0-9.]+ s\x1b"))) << bar.out;
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
              "knead: --step: the step is 0, expected a positive number; see knead inspect --help");
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

// Waits until $pid blocks SIGTERM, to hand it to a thread of its own: before that it dies of it.
constexpr const char* when_it_listens =
    "for i in $(seq 1000); do grep -q '^SigBlk:.*4...$' /proc/$pid/status && break; sleep 0.01; "
    "done; ";

// Whatever a run is busy with.
TEST_F(Cli, ARequestToStopIsHeardWithinASecond) {
    // In milliseconds: a second, and what a machine that is busy with other tests takes to give
    // back the memory of a large scene and to start what tells the time.
    constexpr double longest = 1000 * sanitizer_slowdown + 1000;
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
    // While METIS, which takes the signal for itself if it can, orders a matrix.
    write_file_atomically(folder / "ordered.json", R"({"knead": 1, "frames": [1, 10], "objects": [
      {"name": "a", "mesh": {"sphere": {"radius": 1, "subdivisions": 7}}},
      {"name": "b", "mesh": {"sphere": {"radius": 1, "subdivisions": 7}},
       "transform": {"translate": [0, 1.8, 0]}}]})");
    std::vector<std::pair<std::string, const char*>> stopped;
    for (const std::string& command : hard)
        for (const char* moment : {"0.2", "1.5"}) stopped.emplace_back(command, moment);
    for (const char* moment : {"1.2", "1.6", "2", "2.5"})
        stopped.emplace_back("run ordered.json --threads 2 --out ordered --quiet", moment);
    for (const auto& [command, moment] : stopped) {
        const Outcome outcome =
            knead(command + " & pid=$!; " + when_it_listens + "sleep " + moment +
                  "; kill -TERM $pid; asked=$(date +%s%N); wait $pid; code=$?; "
                  "echo $(( ($(date +%s%N) - asked) / 1000000 )); exit $code");
        EXPECT_EQ(outcome.code, 130) << command << ": " << outcome.err;
        EXPECT_LT(std::stod(outcome.out), longest) << command;
    }
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        EXPECT_NE(entry.path().extension(), ".part");
}

// Also while a scene is read, and what runs no Interruptible at all.
TEST_F(Cli, EveryCommandThatIsInterruptedSaysSo) {
    for (const std::string command :
         {"run ball.json --set 'objects.ball.mesh.sphere.subdivisions=9'",
          "inspect --jumps ball.json --step 0.001", "bench"})
        for (const char* signal : {"TERM", "HUP"}) {
            const Outcome outcome = knead(command + " & pid=$!; " + when_it_listens + "kill -" +
                                          signal + " $pid; wait $pid");
            EXPECT_EQ(outcome.code, 130) << command << ": " << outcome.err;
            EXPECT_TRUE(
                outcome.err.ends_with("knead: interrupted; files that are there are whole\n"))
                << outcome.err;
        }
}

// As nohup does.
TEST_F(Cli, ATerminalThatGoesAwayMayBeIgnored) {
    const Outcome outcome =
        knead("--version > /dev/null; (trap '' HUP; exec '" + std::string(KNEAD_PROGRAM) +
              "' run ball.json --set frames=[1,100] --threads 1 --quiet) & pid=$!; while [ ! -e "
              "out/ball.0003.obj ]; do sleep 0.01; done; kill -HUP $pid; wait $pid");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(fs::exists(folder / "out" / "ball.0100.obj"));
}

TEST_F(Cli, AVideoThatIsInterruptedLeavesNothing) {
    write_file_atomically(folder / "ffmpeg",
                          "#!/bin/sh\necho $$ > begun; mv begun number; exec sleep 100\n");
    fs::permissions(folder / "ffmpeg", fs::perms::owner_all);
    const Outcome outcome = knead(
        "--version > /dev/null; PATH=.:$PATH '" + std::string(KNEAD_PROGRAM) +
        "' render ball.json --size 32x18 --samples 1 --quiet & pid=$!; while [ ! -e number ]; do "
        "sleep 0.02; done; kill -TERM $pid; wait $pid; code=$?; kill -0 $(cat number) && echo "
        "alive; exit $code");
    EXPECT_EQ(outcome.code, 130);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(fs::exists(folder / "pictures" / "ball.0003.png"));
    for (const auto& entry : fs::directory_iterator(folder / "pictures"))
        EXPECT_EQ(entry.path().extension(), ".png") << entry.path();
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

// Killed with no chance to tidy up, at moments that depend on how far the run is.
TEST_F(Cli, RunsThatWereKilledGoOn) {
    for (const std::string format : {"pc2", "glb", "usda", "obj"}) {
        const std::string run =
            "run cube.json --method dynamics --set frames=[1,2000] --format " + format + " ";
        const std::string out = "parts." + format;
        for (const int frame : {1, 7, 30}) {
            const std::string mark =
                out + (format == "obj" ? fmt::format("/cube.{:04d}.obj", frame)
                                       : fmt::format("/{}.frames/{:04d}.000.frame", format, frame));
            const Outcome killed =
                knead(run + "--resume --quiet --out " + out + " & pid=$!; while [ ! -e " + mark +
                      " ]; do :; done; kill -KILL $pid; wait $pid");
            EXPECT_EQ(killed.code, 137);
        }
        // One more that was killed while it wrote a file.
        write_file_atomically(folder / out / "cube.0031.obj.knead-4711-3.part", "half");
        const Outcome rest = knead(run + "--frames 1:80 --resume --out " + out);
        EXPECT_EQ(rest.code, 0) << rest.err;
        int done = 0, there = 0;
        EXPECT_EQ(std::sscanf(rest.out.c_str(), "%d frames (%d were there)", &done, &there), 2)
            << rest.out;
        EXPECT_GE(there, 29);
        EXPECT_EQ(done + there, 80);
        ASSERT_EQ(knead(run + "--frames 1:80 --quiet --threads 1 --out whole." + format).code, 0);
        EXPECT_EQ(content(out), content("whole." + format)) << format;
    }
}

TEST_F(Cli, RunsAtTheSameTimeShareAReport) {
    const std::string run = "run ball.json --set frames=[1,48] --quiet --out ";
    std::string all = run + "shared --frames 1:12 & pids=$!";
    for (const char* frames : {"13:24", "25:36", "37:48"})
        all += fmt::format("; '{}' {} shared --frames {} & pids=\"$pids $!\"", KNEAD_PROGRAM, run,
                           frames);
    const Outcome outcome = knead(all + "; for pid in $pids; do wait $pid || exit; done");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_EQ(knead(run + "whole").code, 0);
    EXPECT_EQ(content("shared"), content("whole"));
}

TEST_F(Cli, RunsAtTheSameTimeDoNotReplaceEachOthersCaches) {
    const std::string run = fmt::format("'{}' run ball.json --set frames=[1,48] --quiet --format "
                                        "pc2 --out shared --frames ",
                                        KNEAD_PROGRAM);
    const Outcome outcome = knead("--version > /dev/null; (" + run + "1:24; echo a $?) & (" + run +
                                  "25:48; echo b $?) & wait");
    // One of both, and the other says why.
    EXPECT_TRUE(outcome.out == "a 0\nb 3\n" || outcome.out == "b 3\na 0\n" ||
                outcome.out == "a 3\nb 0\n" || outcome.out == "b 0\na 3\n")
        << outcome.out;
    const bool first = outcome.out.find("a 0") != std::string::npos;
    const std::string at_once = "knead: shared: another run is writing its pc2 caches into this "
                                "folder; wait until it has ended, or choose another folder with "
                                "--out\n";
    const std::string after = fmt::format(
        "knead: shared/ball.pc2: the cache has the frames {}, and a run of the frames {} would "
        "replace it: a cache is one piece; include those frames, choose another folder with --out, "
        "or remove the cache\n",
        first ? "1 to 24" : "25 to 48", first ? "25 to 48" : "1 to 24");
    EXPECT_TRUE(outcome.err == at_once || outcome.err == after) << outcome.err;
    EXPECT_EQ(fs::file_size(folder / "shared" / "ball.pc2"), 32u + 24u * 162u * 12u);
    EXPECT_EQ(content("shared").size(), 3u);
}

TEST_F(Cli, RunsOneAfterTheOtherDoNotReplaceEachOthersCaches) {
    const std::string run = "run ball.json --set frames=[1,48] --quiet --format pc2 --out shared ";
    ASSERT_EQ(knead(run + "--frames 1:24").code, 0);
    const auto before = content("shared");
    const Outcome other = knead(run + "--frames 25:48");
    EXPECT_EQ(other.code, 3);
    EXPECT_EQ(only_line(other),
              "knead: shared/ball.pc2: the cache has the frames 1 to 24, and a run of the frames "
              "25 to 48 would replace it: a cache is one piece; include those frames, choose "
              "another folder with --out, or remove the cache");
    EXPECT_EQ(content("shared"), before);
}

TEST_F(Cli, WhatIsReplacedIsSaidHoweverQuietARunIs) {
    const std::string run = "run cube.json --quiet --out again --frames ";
    EXPECT_EQ(knead(run + "1:4").err, "");
    EXPECT_EQ(only_line(knead(run + "5:6 --method dynamics")),
              "knead: warning: again/report.json: is the report of other values of 'cube.json' or "
              "another method, and will be replaced; 4 frames that this run does not make will be "
              "gone from it");
    EXPECT_EQ(knead(run + "1:6 --format pc2 --method dynamics").err, "");
    const Outcome other = knead(run + "7:8 --format pc2");
    EXPECT_EQ(other.code, 3);
    EXPECT_EQ(only_line(other),
              "knead: again/cube.pc2: the cache has the frames 1 to 6 of another scene, other "
              "values or another method, and a run of the frames 7 to 8 would replace it: a cache "
              "is one piece; include those frames, choose another folder with --out, or remove "
              "the cache");
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

TEST_F(Cli, APictureThatCannotBeMadeIsRefusedBeforeTheSimulation) {
    // The simulation itself would be refused: it has not begun.
    const std::string command = "render cube.json --method dynamics --set step=1e-9 ";
    EXPECT_NE(only_line(knead(command)).find("step: found 1e-09"), std::string::npos);
    const auto line = [&](const std::string& arguments) {
        const Outcome outcome = knead(command + "--out refused " + arguments);
        EXPECT_EQ(outcome.code, 3) << arguments;
        return only_line(outcome);
    };
    EXPECT_EQ(line("--size 9000x9000"), "knead: render: width is 9000, expected 1 to 8192");
    EXPECT_EQ(line("--size 8192x4096"),
              "knead: render: 8192 x 4096 is 33554432 pixels, expected at most 16777216");
    EXPECT_EQ(line("--clip 0 0 0 0 0 0"),
              "knead: render: clip normal is (0, 0, 0), expected a direction");
    EXPECT_EQ(line("--zoom nan"), "knead: render: zoom is nan, expected a number above 0");
    EXPECT_EQ(line("--view nan 0"),
              "knead: render: view is nan 0, expected two numbers of degrees");
    EXPECT_EQ(line("--field heat"),
              "knead: cube.json: there is no field 'heat', expected one of amplitude, depth, "
              "direction, displacement, eta, gap, pressure, slope, u, zone");
    EXPECT_FALSE(fs::exists(folder / "refused"));
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
    // Lips are a fold.
    EXPECT_LE(*lips.find("ratio_without_last_pass")->number(), *lips.find("ratio")->number());
    EXPECT_LT(*lips.find("last_pass_milliseconds")->number(), *lips.find("milliseconds")->number());
    EXPECT_GT(*json.find("geometric_mean_without_last_pass")->number(), 0);
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
              "knead: --growth, --body and --sequence are three measurements, expected one; see "
              "knead bench --help");
    EXPECT_EQ(only_line(knead("bench walk --growth")),
              "knead: --growth has a scene of its own, found 'walk'; see knead bench --help");
    EXPECT_EQ(only_line(knead("bench walk --body")),
              "knead: --body has a scene of its own, found 'walk'; see knead bench --help");
    EXPECT_EQ(only_line(knead("bench lisp")),
              "knead: there is no scene 'lisp' to measure, expected one of fingers-ball, "
              "fingers-palm, skinned-finger, lips, body-jelly, walk, hat-egg; see knead bench "
              "--help");
}

TEST_F(Cli, ADemoIsWrittenRunAndPictured) {
    const Outcome outcome = knead("demo capsules-crossing --out d");
    EXPECT_EQ(outcome.code, 0);
    for (const char* name : {"capsules-crossing.json", "report.json", "first.png", "deepest.png",
                             "depth.png", "frames/upper.0048.obj"})
        EXPECT_TRUE(fs::exists(folder / "d" / name)) << name;
    EXPECT_NE(outcome.out.find("pictures: d/first.png"), std::string::npos);
}

TEST_F(Cli, ADemoTakesFramesFormatAndThreads) {
    const Outcome outcome =
        knead("demo capsules-crossing --out d --frames 20:22 --format ply --threads 1 --quiet");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto files = content("d/frames");
    EXPECT_EQ(files.size(), 6u);
    EXPECT_TRUE(files.contains("upper.0020.ply") && files.contains("upper.0022.ply"));
    // The same as a run of its scene; pictures are of the frames of this time.
    ASSERT_EQ(knead("run d/capsules-crossing.json --frames 20:22 --format ply --quiet").code, 0);
    EXPECT_EQ(files.at("upper.0021.ply"), content("out").at("upper.0021.ply"));
    EXPECT_EQ(knead("demo implicit-ball-on-floor --out i --frames 1:2 --format pc2 --quiet").code,
              0);
    EXPECT_EQ(knead("demo implicit-ball-on-floor --out i --frames 1:3 --quiet").code, 0);
    EXPECT_TRUE(fs::exists(folder / "i" / "frames" / "ball.pc2"));
    EXPECT_EQ(only_line(knead("demo capsules-crossing --out d --frames 5:1")),
              "knead: --frames: the range 5:1 runs backwards; see knead demo --help");
}

} // namespace
} // namespace knead
