# The two commands of the README, and short names for what developers do all day.
.DEFAULT_GOAL := build
.PHONY: build configure deps test-deps dev-deps demo test test-release test-asan test-dev check-format tidy-commands tidy-changed fuzz fuzz-studio fuzz-build fuzz-readers debug tidy format gallery known-results studio-pictures quality install clean

FUZZ_READERS := mesh scene files capi

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

# Parts share two cores and folders, so that -j does not run them at once; readers are fuzzed two at a time.
ifeq ($(filter $(FUZZ_READERS:%=fuzz-%),$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

# What is cheap first: a misplaced brace need not wait for twenty minutes.
test: check-format test-dev tidy-changed test-release test-asan
	@scripts/slowest-tests dev=build-dev/tests.xml release=build/tests.xml asan=build-asan/tests.xml

test-release: test-deps configure
	@cmake --build --preset release
	ctest --preset release -j 2 --output-junit tests.xml

test-asan: test-deps
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan
	ctest --preset asan -j 2 --output-junit tests.xml

# The rooms that are built in no time, each file alone and with the assertions of Eigen and the library.
FAST_ROOMS := base mesh rig
test-dev: test-deps
	@cmake --preset dev > /dev/null
	@cmake --build --preset dev --target $(FAST_ROOMS:%=test_%)
	ctest --preset dev -L '^($(subst $() ,|,$(FAST_ROOMS)))$$' -j 2 --output-junit tests.xml

# With nothing to look at nothing is known.
OUR_CODE := git ls-files '*.cpp' '*.hpp' '*.h' '*.c' '*.inl' | grep .
check-format: test-deps
	@files=`$(OUR_CODE)` || { echo "make check-format: git names no files here, expected a clone" >&2; exit 1; }; \
	  clang-format --dry-run -Werror $$files || { echo "make format formats these files" >&2; exit 1; }

tidy-commands: test-deps
	@cmake --preset tidy > /dev/null

# Of what the last commits changed, as much as two minutes allow; all of it is `make tidy`.
TIDY_COMMITS ?= 5
tidy-changed: tidy-commands
	scripts/tidy --commits $(TIDY_COMMITS) --seconds 115

# How long libFuzzer looks for inputs that break a reader. What it finds interesting stays in build-fuzz/corpus, and the
# next time goes on from there; what breaks one is left in build-fuzz/found.
FUZZ_SECONDS ?= 600
.PHONY: $(FUZZ_READERS:%=fuzz-%)

# Every reader, two at a time; the corpus in tests/fuzz itself is replayed by `make test`.
fuzz: fuzz-readers fuzz-studio

fuzz-build: dev-deps
	@cmake --preset fuzz > /dev/null
	@cmake --build --preset fuzz --target fuzz

fuzz-readers: fuzz-build
	@$(MAKE) --no-print-directory --keep-going -j 2 $(FUZZ_READERS:%=fuzz-%)

$(FUZZ_READERS:%=fuzz-%): fuzz-%:
	@mkdir -p build-fuzz/corpus/$* build-fuzz/found
	build-fuzz/tests/fuzz/$*_fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=60 -rss_limit_mb=4096 -max_len=65536 \
	  -verbosity=1 -print_final_stats=1 -artifact_prefix=build-fuzz/found/$*- build-fuzz/corpus/$* tests/fuzz/corpus/$* \
	  > build-fuzz/$*.log 2>&1 || { tail -n 40 build-fuzz/$*.log; exit 1; }
	@tail -n 8 build-fuzz/$*.log

# Messages that pages could send to the studio's server, most of them damaged.
FUZZ_MESSAGES ?= 20000
fuzz-studio: fuzz-build
	build-fuzz/tests/fuzz/studio_fuzz $(FUZZ_MESSAGES)

debug: deps
	cmake --preset dev && cmake --build --preset dev

tidy: tidy-commands
	scripts/tidy

format: dev-deps
	files=`$(OUR_CODE)` && clang-format -i $$files

gallery: build
	scripts/make-gallery

# All of docs/studio, in Chromium. They show milliseconds: on a machine that does nothing else.
studio-pictures: test-deps build
	cd apps/studio/web && npm run --silent pictures

# All demos at three resolutions and random placements, with their jumps: some hours on two cores. Writes
# docs/quality.md after every scene. What was measured by the same build is kept in build/quality/figures, so a
# run that was stopped goes on where it was. Then docs/real-meshes.md, where there are meshes for it, and what simulations and implicit solids are
# like: docs/dynamics-figures.md and docs/implicit-figures.md, some minutes each.
REAL_MESHES ?= ../shared/data/meshes
quality: configure
	@cmake --build --preset release --target knead_quality knead_dynamics_quality knead_implicit_quality
	build/quality/knead_quality scenes docs/quality.md --kept build/quality/figures
	build/quality/knead_quality scenes docs/quality.md --criteria docs/criteria.md --only \
	  comb-bumpy-body hand-pillow hand-window sphere-on-thorns spread-hand tubular-sphere
	test ! -d $(REAL_MESHES) || scripts/try-meshes $(REAL_MESHES) --page docs/real-meshes.md --kept build/quality/meshes
	build/quality/knead_dynamics_quality docs/dynamics-figures.md docs/dynamics
	build/quality/knead_implicit_quality scenes docs/implicit-figures.md docs/implicit

# Where the demos are known to be, for the tests to compare with; after a change that means to move them.
known-results: test-deps configure
	@cmake --build --preset release --target test_demos
	@rm -f build/known_results.txt
	KNEAD_RENEW_RESULTS=$(CURDIR)/build/known_results.txt ctest --preset release -L demos -j 2
	LC_ALL=C sort build/known_results.txt > tests/demos/known_results.txt

install: configure
	@cmake --build --preset release
	cmake --install build

clean:
	rm -rf build build-dev build-asan build-tidy build-fuzz out
