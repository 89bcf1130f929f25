# The two commands of the README, and short names for what developers do all day.
.DEFAULT_GOAL := build
.PHONY: build configure deps test-deps dev-deps demo test test-release test-asan fuzz debug tidy format gallery studio-pictures quality install clean

# The program and the library; what only tests need is built by the test targets.
build: configure
	@cmake --build --preset release --target knead_cli

configure: deps
	@mkdir -p build
	@cmake --preset release > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }

deps:
	@scripts/install-deps

test-deps:
	@scripts/install-deps --test

dev-deps:
	@scripts/install-deps --dev

demo: build
	@build/knead demo sphere-on-plane --out out/demo
	@echo "To press, drag and paint it in a page: build/knead studio scenes/sphere-on-plane.json"

test: test-release test-asan

test-release: test-deps configure
	@cmake --build --preset release
	ctest --preset release -j 2

test-asan: deps
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan
	ctest --preset asan -j 2

# A minute of libFuzzer for each reader; the corpus itself is replayed by `make test`.
fuzz: dev-deps
	@cmake --preset fuzz > /dev/null
	@cmake --build --preset fuzz --target fuzz
	cd build-fuzz/tests/fuzz && for name in mesh scene; do \
	  mkdir -p new-$$name && ./$${name}_fuzz -max_total_time=60 -timeout=10 -rss_limit_mb=4096 \
	    new-$$name ../../../tests/fuzz/corpus/$$name || exit 1; done

debug: deps
	cmake --preset debug && cmake --build --preset debug

tidy: dev-deps
	cmake --preset tidy && cmake --build --preset tidy

format: dev-deps
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

gallery: build
	scripts/make-gallery

# All of docs/studio, in Chromium. They show milliseconds: on a machine that does nothing else.
studio-pictures: test-deps build
	cd apps/studio/web && npm run --silent pictures

# All demos at three resolutions and random placements, with their jumps: about a quarter of an hour on two
# cores. Writes docs/quality.md. Then what simulations and implicit solids are
# like: docs/dynamics-figures.md and docs/implicit-figures.md, some minutes each.
quality: configure
	@cmake --build --preset release --target knead_quality knead_dynamics_quality knead_implicit_quality
	build/quality/knead_quality scenes docs/quality.md
	build/quality/knead_quality scenes docs/quality.md --criteria docs/criteria.md --only \
	  comb-bumpy-body hand-pillow hand-window sphere-on-thorns spread-hand tubular-sphere
	build/quality/knead_dynamics_quality docs/dynamics-figures.md docs/dynamics
	build/quality/knead_implicit_quality scenes docs/implicit-figures.md docs/implicit

install: configure
	@cmake --build --preset release
	cmake --install build

clean:
	rm -rf build build-debug build-asan build-tidy build-fuzz out
