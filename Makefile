# SwiftPM builds; this file installs what the build needs, and the programs.

PREFIX ?= /usr/local
DESTDIR ?=
bindir = $(PREFIX)/bin
unitdir = $(PREFIX)/lib/systemd/user
mandir = $(PREFIX)/share/man
# Debian's zsh looks here for packages, and in /usr/local/share/zsh/site-functions.
zshdir = share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
# The configuration of users without one of their own.
configdir ?= /etc/xdg/backdropd
metainfodir = $(PREFIX)/share/metainfo
METAINFO = io.github.backdropd.backdropd.metainfo.xml
autostartdir ?= /etc/xdg/autostart
SCRATCH ?= .build
# Of Debian, that apt uses here.
MIRROR = "$$(apt-get indextargets --format '$$(REPO_URI)' 'Identifier: Packages' 'Label: Debian' | head -1)"
VERSION = $(shell sed -n 's/.* number = "\(.*\)"/\1/p' Sources/Control/ProgramVersion.swift)
# The date of the last commit, as `date -R` writes it; without a repository, now.
DATE = $(or $(shell git log -1 --format=%cD 2>/dev/null),$(shell date -R))

# Contains what makes the linker take static libraries, if they are there: a link to that of C++, which it finds first, and the flags
# for libconfig.
STATIC = $(SCRATCH)/static
# Static, because Debian 12 and 13 have different versions of it, and one package suits both. Or shared.
LIBCONFIG = static

SWIFT = swift
# Removes unused and duplicate code and packs the relocations: 1 MB less memory. The C++ library of the
# Swift runtime is linked statically if it is there: another MB. Libraries that other libraries need are not named.
LINK = -Xswiftc -use-ld=lld -Xlinker --gc-sections -Xlinker --icf=safe \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker -L$(abspath $(STATIC)) -Xlinker --as-needed
# With the standard library: the installed programs need no toolchain.
STATIC_BUILD = -c release --static-swift-stdlib $(LINK)
RELEASE = $(STATIC_BUILD) --scratch-path $(SCRATCH)/install
# The programs again, for processors with AVX2: one instruction set for all code of a program, because the linker keeps one copy of
# what several modules have. They have a scratch path of their own for the same reason.
LEVEL = x86-64-v3
LEVEL_FLAGS = -Xcc -march=$(LEVEL) -Xswiftc -DX86_64_V3
LEVEL_RELEASE = $(STATIC_BUILD) $(LEVEL_FLAGS) --scratch-path $(SCRATCH)/install-$(LEVEL)
# Kernels of a debug build are some 300 times slower, so tests are built for release.
TEST = -c release --scratch-path $(SCRATCH)
# The leak sanitizer reads the memory of its process.
INSPECTABLE = -Xswiftc -DINSPECTABLE
PROGRAMS = $(SCRATCH)/install/release
# Empty on other architectures.
LEVEL_PROGRAMS := $(if $(filter x86_64,$(shell uname -m)),$(SCRATCH)/install-$(LEVEL)/release)
# Where the programs for all processors look for the others: seen from their folder, as when they are installed.
LEVEL_LINK = $(PROGRAMS)/../lib/backdropd/$(LEVEL)
libdir = $(PREFIX)/lib/backdropd

# What a build needs. SwiftPM calls git, and Swift links with the linker and the C++ library of g++.
BUILD_PACKAGES = git ca-certificates g++ pkg-config fonts-dejavu-core libxcb1-dev libxcb-composite0-dev \
	libxcb-damage0-dev libxcb-randr0-dev libxcb-screensaver0-dev libxcb-shape0-dev libxcb-shm0-dev \
	libxcb-xfixes0-dev libxcb-xinput-dev libwayland-dev libconfig-dev libpcre2-dev libpng-dev zlib1g-dev libpango1.0-dev libsystemd-dev
# What a toolchain that was unpacked needs.
SWIFT_PACKAGES = libcurl4 libncurses6 libsqlite3-0 libxml2
# The screens in memory of the demo.
X11_DEMO_PACKAGES = xvfb xcompmgr openbox tint2 rxvt-unicode hsetroot x11-xserver-utils xdotool \
	fonts-noto-color-emoji
WAYLAND_DEMO_PACKAGES = sway swaybg foot grim fonts-noto-color-emoji
COMPARE_PACKAGES = $(X11_DEMO_PACKAGES) picom
TEST_PACKAGES = $(COMPARE_PACKAGES) $(WAYLAND_DEMO_PACKAGES) xserver-xephyr tigervnc-standalone-server x11-utils \
	x11-apps xterm fonts-vlgothic xserver-xorg-core xserver-xorg-video-dummy \
	wlr-randr phoc weston cage xwayland librust-wayland-protocols-dev dbus-daemon dbus-x11 i3lock xsecurelock \
	strace i3-wm xfwm4 xfconf xfce4-session xfce4-terminal xfce4-panel rofi dunst libnotify-bin kitty polybar \
	marco mate-settings-daemon-common mate-session-manager lxqt-session dex python3-xdg systemd \
	qemu-user

# The default of libX11 and libXCB. While it is not set, libXau keeps the name in memory that two threads which connect at
# the same time, as tests do, allocate twice.
test compat sanitize sanitize-all soak: export XAUTHORITY ?= $(HOME)/.Xauthority

.PHONY: all deps test-deps baseline build demo demo-again compare pictures bench check test quick compat scalar level threads \
	sanitize sanitize-all soak fuzz deb try-deb dist deb-source install uninstall clean

all: build

# Installs those of some packages that are missing. Needs no password if none is.
define packages
@missing=$$(for package in $(1); do \
	dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q ' installed$$' || echo $$package; done); \
if [ -n "$$missing" ]; then \
	sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	$$sudo apt-get update && \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing; \
fi
endef

demo-packages = $(call packages,$(if $(filter wayland,$(SERVER)),$(WAYLAND_DEMO_PACKAGES),$(X11_DEMO_PACKAGES)))

# What a build needs, and nothing more.
deps:
	$(call packages,$(BUILD_PACKAGES))
	@command -v $(SWIFT) >/dev/null || \
		{ echo "no 'swift' in PATH: install Swift 6.3 from https://swift.org/install" >&2; exit 69; }
	$(call packages,$(shell cd "$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")" && \
		ldd swift-build swift-frontend swift-driver clang 2>/dev/null | \
		grep -q 'not found' && echo $(SWIFT_PACKAGES)))

# What the tests need too: display servers, window managers, compositors and programs.
test-deps: deps
	$(call packages,$(TEST_PACKAGES))

# What `--version` says. Other builds know no commit, so that each new one does not link all programs again.
build baseline deb demo compare pictures bench: export BACKDROPD_COMMIT ?= \
	$(shell git describe --always --abbrev=12 --dirty=+ --exclude='*' 2>/dev/null)
build baseline deb demo compare pictures bench: export PKG_CONFIG_PATH := $(abspath $(STATIC)):$(PKG_CONFIG_PATH)
build: baseline
ifneq ($(LEVEL_PROGRAMS),)
	$(SWIFT) build $(LEVEL_RELEASE) --product backdropd
	$(SWIFT) build $(LEVEL_RELEASE) --product backdropctl
	mkdir -p $(dir $(LEVEL_LINK))
	ln -sfn $(abspath $(LEVEL_PROGRAMS)) $(LEVEL_LINK)
endif

# The programs for all processors alone. Without the link, because they would start the others, which may be older, and so that
# `make install` demands a whole build.
baseline:
	@rm -f $(LEVEL_LINK)
	@pkg-config --exists xcb wayland-client libconfig libpcre2-8 libpng pangocairo libsystemd || \
		{ echo "libraries are missing; 'make deps' installs them" >&2; exit 69; }
	$(SWIFT) build $(RELEASE) --product backdropd
	$(SWIFT) build $(RELEASE) --product backdropctl

# SERVER=wayland or x11: the desktop of this kind, or else a screen of this kind in memory.
demo: SERVER = auto
demo: deps baseline
	$(if $(DISPLAY)$(WAYLAND_DISPLAY),$(if $(WAYLAND_DISPLAY),,$(call packages,rxvt-unicode)),$(demo-packages))
	$(SWIFT) build $(RELEASE) --product Demo
	$(PROGRAMS)/Demo --server $(SERVER) || { [ $$? = 127 ] && $(MAKE) demo-again SERVER=$(SERVER); }

# The desktop cannot show glass, and the screens in memory need programs that are missing (127).
demo-again:
	$(demo-packages)
	$(PROGRAMS)/Demo --server $(SERVER)

# The scene of the demo without blur, with backdropd and with picom's blur: CPU and frames, as a table.
compare: deps build
	$(call packages,$(COMPARE_PACKAGES))
	$(SWIFT) build $(RELEASE) --product Demo
	$(PROGRAMS)/Demo --compare

# The pictures in docs: the demo, its scene with picom's blur, the demo on sway, and all materials over
# the same desktop.
pictures: deps build
	$(call packages,$(COMPARE_PACKAGES) $(WAYLAND_DEMO_PACKAGES))
	@command -v img2webp >/dev/null || { echo "no 'img2webp': install the package webp" >&2; exit 69; }
	$(SWIFT) build $(RELEASE) --product Demo
	frames=$$(mktemp -d) && trap 'rm -r "$$frames"' EXIT && \
	env -u DISPLAY -u WAYLAND_DISPLAY $(PROGRAMS)/Demo --output "$$frames/screen" --frames "$$frames" && \
	img2webp -loop 0 -d 67 -lossy -q 45 -m 6 "$$frames"/*.png -o docs/demo.webp
	frames=$$(mktemp -d) && trap 'rm -r "$$frames"' EXIT && \
	$(PROGRAMS)/Demo --picom --frames "$$frames" && \
	img2webp -loop 0 -d 67 -lossy -q 45 -m 6 "$$frames"/*.png -o docs/demo-picom.webp
	screen=$$(mktemp) && trap 'rm "$$screen"' EXIT && \
	env -u WAYLAND_DISPLAY $(PROGRAMS)/Demo --server wayland --output "$$screen" && \
	cwebp -quiet -lossless -m 6 "$$screen" -o docs/demo-wayland.webp
	sheet=$$(mktemp) && trap 'rm "$$sheet"' EXIT && \
	$(PROGRAMS)/backdropctl materials --sheet "$$sheet" && \
	cwebp -quiet -q 85 "$$sheet" -o docs/materials.webp

# The time of the glass by both builds, and what 40 sessions with a daemon need.
bench: build
	$(call packages,xvfb)
	$(SWIFT) build $(RELEASE) --product LiveBench
	$(PROGRAMS)/backdropctl bench
	$(PROGRAMS)/LiveBench --daemon $(PROGRAMS)/backdropd --scenario sessions --runs 1

# ProjectTests check what no compiler does: man pages, units, this file. `swift test` builds,
# because `swift build` passes other flags, with which `make test` would compile all modules again.
check:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests
	.ci/type-graph
	$(SWIFT) test $(TEST) --explicit-target-dependency-import-check error --disable-xctest --filter ProjectTests

test: test-deps
	$(SWIFT) test $(TEST) --disable-xctest

# The programs, and the tests of one or more modules: a build for development. Only the modules with pixels are optimized, so
# a change is built in seconds; other builds have to be used to measure. `make quick TESTS=PanesTests,ControlTests FILTER=Geometry`
TESTS =
FILTER = .
quick: export BACKDROPD_DEVELOPMENT = 1
quick: export BACKDROPD_TESTS = $(TESTS)
quick:
	$(SWIFT) build --scratch-path $(SCRATCH)/quick
	[ -z "$(TESTS)" ] || $(SWIFT) test --scratch-path $(SCRATCH)/quick --disable-xctest --filter '$(FILTER)'

# Only the glass and its tests are built, which takes a quarter of the time.
scalar level threads: export BACKDROPD_KERNELS = 1

# ProductsPortable.swift, for processors other than x86-64, compared with the scalar twins.
scalar:
	$(SWIFT) test $(TEST)/scalar -Xswiftc -DSCALAR_PRODUCTS --disable-xctest

# The kernels as they are built for processors with AVX2, if this is one.
level:
	! grep -qw avx2 /proc/cpuinfo || $(SWIFT) test $(TEST)/$(LEVEL) $(LEVEL_FLAGS) --disable-xctest

# Each sanitizer has its own scratch path: they cannot share objects. XCTest, which no test uses, leaks a
# little. Tests that bound the memory of a process are disabled if SANITIZER is set. The thread sanitizer does not
# know the standard library's Mutex, so tests must not run in parallel.
SANITIZE_ADDRESS = SANITIZER=address $(SWIFT) test $(TEST)/address $(INSPECTABLE) --sanitize address --disable-xctest
SANITIZE_THREAD = SANITIZER=thread $(SWIFT) test $(TEST)/thread $(INSPECTABLE) --sanitize thread --disable-xctest \
	--no-parallel

# The bands of a frame. The other tests of the glass use one thread.
threads:
	$(SANITIZE_THREAD) --filter ThreadTests --filter LeakTests

# What calls C, kernels at all sizes, and random and wrong input to the whole; also for leaks.
sanitize: export BACKDROPD_TESTS = LinuxTests,FrostTests,PanesTests,ConfigurationTests,PicturesTests,X11DisplayTests,$\
	WaylandDisplayTests,ControlTests,CommandTests,EndToEndTests
sanitize: test-deps
	$(SANITIZE_ADDRESS) --skip EndToEndTests --skip FrostTests
	$(SANITIZE_ADDRESS) --skip-build --filter ScalarTwinTests --filter SoakTests --filter ControlBadInputTests \
		--filter FaultTests --filter BehindStormTests --filter OutputStormTests

# All tests, and the threads of the daemon: more than an hour.
sanitize-all: test-deps
	$(SANITIZE_ADDRESS)
	$(SANITIZE_THREAD) --filter ThreadTests --filter LeakTests --filter DaemonThreadTests

# One daemon at random for an hour, and then for another hour under the address sanitizer, where its memory is
# not bounded. The seed is printed; the same SOAK_SEED repeats the rounds, from SOAK_ROUND on. `make test` has a minute of it.
soak: export SOAK_MINUTES ?= 60
soak: export SOAK_SEED ?= $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
sanitize sanitize-all soak fuzz: export LSAN_OPTIONS = suppressions=$(CURDIR)/Tests/leaks.supp:print_suppressions=0
soak: test-deps
	$(SWIFT) test $(TEST) --disable-xctest --filter SoakTests
	$(SANITIZE_ADDRESS) --filter SoakTests

# The targets of libFuzzer in Tests/Fuzz, each for some time under the address sanitizer. What they find is kept in the scratch
# path, and the next run goes on with it. `make fuzz FUZZ_SECONDS=600 FUZZ_TARGETS=png` for one of them.
FUZZ = $(SCRATCH)/fuzz
FUZZ_SECONDS = 60
# 0 is another one each time.
FUZZ_SEED = 0
FUZZ_LIMIT ?= -max_total_time=$(FUZZ_SECONDS)
FUZZ_TARGETS = $$($(FUZZ)/release/Fuzz --list)
fuzz: export BACKDROPD_FUZZ = 1
# The same seed makes the same inputs.
fuzz: export SWIFT_DETERMINISTIC_HASHING = 1
fuzz: deps
	$(SWIFT) build -c release --scratch-path $(FUZZ) --sanitize address -Xswiftc -sanitize=fuzzer \
		-Xswiftc -enable-testing --product Fuzz
	for target in $(FUZZ_TARGETS); do \
		mkdir -p $(FUZZ)/corpus/$$target; echo "fuzz $$target"; \
		$(FUZZ)/release/Fuzz $$target $(FUZZ_LIMIT) -seed=$(FUZZ_SEED) -verbosity=0 -print_final_stats=1 \
			-timeout=20 -rss_limit_mb=4096 -artifact_prefix=$(FUZZ)/$$target- \
			-dict=Tests/Fuzz/Dictionaries/$$target.dict $(FUZZ)/corpus/$$target Tests/Fuzz/Seeds/$$target || exit 1; \
	done

# Empty if another program strips the symbols.
STRIP = -s

# Builds nothing, so that `sudo make install` after `make build` leaves no files that belong to root.
install:
	@[ -x $(if $(LEVEL_PROGRAMS),$(LEVEL_LINK),$(PROGRAMS))/backdropctl ] || \
		{ echo "not all is built; run 'make' first" >&2; exit 69; }
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(unitdir) $(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man5
	install $(STRIP) -m 755 $(PROGRAMS)/backdropd $(PROGRAMS)/backdropctl $(DESTDIR)$(bindir)
ifneq ($(LEVEL_PROGRAMS),)
	install -d $(DESTDIR)$(libdir)/$(LEVEL)
	install $(STRIP) -m 755 $(LEVEL_PROGRAMS)/backdropd $(LEVEL_PROGRAMS)/backdropctl $(DESTDIR)$(libdir)/$(LEVEL)
endif
	sed 's|@bindir@|$(bindir)|' systemd/backdropd.service.in > $(DESTDIR)$(unitdir)/backdropd.service
	chmod 644 $(DESTDIR)$(unitdir)/backdropd.service
	install -m 644 docs/man/backdropd.1 docs/man/backdropctl.1 $(DESTDIR)$(mandir)/man1
	install -m 644 docs/man/backdropd.conf.5 $(DESTDIR)$(mandir)/man5
	install -d $(DESTDIR)$(configdir)
	install -d $(DESTDIR)$(autostartdir)
	sed 's|@bindir@|$(bindir)|' packaging/backdropd.desktop.in > $(DESTDIR)$(autostartdir)/backdropd.desktop
	chmod 644 $(DESTDIR)$(autostartdir)/backdropd.desktop
	install -d $(DESTDIR)$(metainfodir)
	sed 's/@version@/$(VERSION)/; s/@date@/$(shell date -d '$(DATE)' +%F)/' packaging/backdropd.metainfo.xml.in \
		> $(DESTDIR)$(metainfodir)/$(METAINFO)
	chmod 644 $(DESTDIR)$(metainfodir)/$(METAINFO)
	[ -e $(DESTDIR)$(configdir)/backdropd.conf ] || \
		install -m 644 packaging/backdropd.conf $(DESTDIR)$(configdir)
	$(call completion,bash,share/bash-completion/completions/backdropctl)
	$(call completion,zsh,$(zshdir)/_backdropctl)
	$(call completion,fish,share/fish/vendor_completions.d/backdropctl.fish)

define completion
install -d $(DESTDIR)$(PREFIX)/$(dir $(2))
$(PROGRAMS)/backdropctl --generate-completion-script $(1) | sed '1{/^#!/d}' > $(DESTDIR)$(PREFIX)/$(2)
chmod 644 $(DESTDIR)$(PREFIX)/$(2)
endef

# Leaves the configuration, which the administrator may have changed.
uninstall:
	rm -f $(DESTDIR)$(bindir)/backdropd $(DESTDIR)$(bindir)/backdropctl
	rm -rf $(DESTDIR)$(libdir)
	rm -f $(DESTDIR)$(unitdir)/backdropd.service $(DESTDIR)$(autostartdir)/backdropd.desktop
	rm -f $(DESTDIR)$(mandir)/man1/backdropd.1 $(DESTDIR)$(mandir)/man1/backdropctl.1
	rm -f $(DESTDIR)$(mandir)/man5/backdropd.conf.5 $(DESTDIR)$(metainfodir)/$(METAINFO)
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/backdropctl
	rm -f $(DESTDIR)$(PREFIX)/$(zshdir)/_backdropctl
	rm -f $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/backdropctl.fish

# A package for Debian 12 and later, and the systems that follow it, in $(DEB). It needs nothing of Swift.
DEB = $(SCRATCH)/deb
deb: build
	$(call packages,debhelper)
	rm -rf $(DEB)/backdropd && mkdir -p $(DEB)/backdropd
	$(call debian,$(DEB)/backdropd)
	cd $(DEB)/backdropd && SOURCE=$(CURDIR) dpkg-buildpackage --build=binary --no-sign --no-check-builddeps
	@echo "made $$(ls $(DEB)/backdropd_*.deb); install it with apt"

# Installs the package in new folders of Debian without Swift, tries it there and purges it. As root.
try-deb: $(addprefix try-deb-,bookworm trixie)
try-deb-%: deb
	$(call packages,mmdebstrap)
	mmdebstrap --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt=force-unsafe-io --format=null \
		--customize-hook='copy-in $(wildcard $(DEB)/backdropd_*.deb) packaging/debian/tests/glass packaging/try-package /srv' \
		--customize-hook='mount -t proc proc "$$1/proc"; chroot "$$1" sh -c "/srv/try-package /srv/*.deb /srv/glass"; \
			status=$$?; umount "$$1/proc"; exit $$status' $* - $(MIRROR)

# The folder 'debian' in a folder.
define debian
cp -r packaging/debian $(1)/debian
printf '%s\n' 'backdropd ($(VERSION)-1) unstable; urgency=medium' '' '  * See CHANGELOG.md.' '' \
	" -- $$(sed -n 's/^Maintainer: //p' packaging/debian/control)  $(DATE)" > $(1)/debian/changelog
endef

# The committed files.
DIST = $(SCRATCH)/dist
dist:
	mkdir -p $(DIST)
	git archive --prefix=backdropd-$(VERSION)/ --output=$(DIST)/backdropd-$(VERSION).tar.gz HEAD
	@echo "made $(DIST)/backdropd-$(VERSION).tar.gz"

# A source package of Debian, with the packages of Swift that it needs. It builds with the Swift of Debian.
SWIFT_SOURCES = swift-argument-parser swift-log
deb-source: dist
	$(call packages,dpkg-dev)
	$(SWIFT) package --scratch-path $(SCRATCH)/install resolve
	rm -rf $(DEB)/source && mkdir -p $(DEB)/source
	cp $(DIST)/backdropd-$(VERSION).tar.gz $(DEB)/source/backdropd_$(VERSION).orig.tar.gz
	tar -xf $(DIST)/backdropd-$(VERSION).tar.gz -C $(DEB)/source
	for name in $(SWIFT_SOURCES); do \
		archive=$(abspath $(DEB))/source/backdropd_$(VERSION).orig-$$name.tar.gz && \
		git -C $(SCRATCH)/install/checkouts/$$name archive --prefix=$$name/ --output=$$archive HEAD && \
		tar -xf $$archive -C $(DEB)/source/backdropd-$(VERSION) || exit 1; \
	done
	$(call debian,$(DEB)/source/backdropd-$(VERSION))
	cd $(DEB)/source && dpkg-source --build backdropd-$(VERSION)
	@echo "made $$(ls $(DEB)/source/backdropd_*.dsc)"

# The checks of live glass on the compositors of newer distributions, and the table in docs/wayland.md that follows from them.
# Each distribution is a folder, kept between runs, in which only the compositor runs; to enter it, this must run as root.
COMPAT = $(abspath $(SCRATCH))/compat
COMPAT_PACKAGES = sway,labwc,wayfire,phoc,weston,cage,swayidle,wlopm,fonts-dejavu-core
compat: export COMPAT_RESULTS = $(COMPAT).results
compat: test-deps $(COMPAT)/trixie $(COMPAT)/sid
	rm -f $(COMPAT_RESULTS)
	COMPAT=$(COMPAT) $(SWIFT) test $(TEST) --disable-xctest --filter LeakyGlassTests \
		--filter OutputGlassTests --filter OutageTests --filter IdleTests --filter WaylandDaemonTests
	packaging/compat-table $(COMPAT_RESULTS) docs/wayland.md > $(COMPAT_RESULTS).md
	cp $(COMPAT_RESULTS).md docs/wayland.md

# From the mirror that apt uses here. A folder that was not completed is made again. While it is made, another /dev/shm is
# mounted in it.
$(COMPAT)/%: | deps
	@command -v mmdebstrap >/dev/null || \
		{ apt-get update && apt-get install -y --no-install-recommends mmdebstrap; }
	mkdir -p $(@D)
	rm -rf $(COMPAT)-$*.new
	mmdebstrap --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' \
		--dpkgopt=force-unsafe-io --include=$(COMPAT_PACKAGES) $* $(COMPAT)-$*.new \
		$(MIRROR)
	chmod 1777 $(COMPAT)-$*.new/dev/shm
	mv $(COMPAT)-$*.new $@

# SwiftPM leaves some ten empty folders in the temporary folder each time that it runs.
baseline build deb-source test quick compat check scalar level threads sanitize sanitize-all soak fuzz: export TMPDIR = $(abspath $(SCRATCH))/tmp
baseline build deb-source test quick compat check scalar level threads sanitize sanitize-all soak fuzz: | $(SCRATCH)/tmp
$(SCRATCH)/tmp:
	mkdir -p $@

baseline: | $(STATIC)
$(STATIC):
	mkdir -p $@
	library=$$(clang -print-file-name=libstdc++.a) && [ -f "$$library" ] && ln -s "$$library" $@ || true
ifeq ($(LIBCONFIG),static)
	[ ! -f "$$(clang -print-file-name=libconfig.a)" ] || sed 's/^Libs:.*/Libs: -l:libconfig.a/' \
		"$$(pkg-config --variable=pcfiledir libconfig)/libconfig.pc" > $@/libconfig.pc
endif

clean:
	rm -rf $(SCRATCH)
