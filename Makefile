# The two commands of the README, and short names for what developers do all day.
.DEFAULT_GOAL := build
.PHONY: build deps demo test test-release test-asan debug tidy format install clean

build: deps
	@cmake --preset release > build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
	@rm -f build-configure.log
	@cmake --build --preset release

deps:
	@scripts/install-deps

demo: build
	@build/knead demo sphere-on-plane --out out/demo

test: test-release test-asan

test-release: build
	ctest --preset release

test-asan: deps
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan
	ctest --preset asan

debug: deps
	cmake --preset debug && cmake --build --preset debug

tidy: deps
	cmake --preset tidy && cmake --build --preset tidy

format:
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

install: build
	cmake --install build

clean:
	rm -rf build build-debug build-asan build-tidy build-fuzz out
