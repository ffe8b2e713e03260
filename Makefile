# Thin on purpose: SwiftPM builds; this installs what it needs and where things go.

PREFIX ?= /usr/local
DESTDIR ?=
bindir = $(PREFIX)/bin
unitdir = $(PREFIX)/lib/systemd/user
mandir = $(PREFIX)/share/man/man1
SCRATCH ?= .build

SWIFT = swift
# Nothing unused, nothing twice, and the relocations in a bit map: 1 MB less in memory.
LINK = -Xswiftc -use-ld=lld -Xlinker --gc-sections -Xlinker --icf=safe \
	-Xlinker -z -Xlinker pack-relative-relocs
# The standard library linked in: the programs run where no toolchain is.
RELEASE = -c release --scratch-path $(SCRATCH)/install --static-swift-stdlib $(LINK)
# Release for the tests too: kernels of a debug build are some 300 times slower.
TEST = -c release -Xswiftc -enable-testing --scratch-path $(SCRATCH)
PROGRAMS = $(SCRATCH)/install/release

BUILD_PACKAGES = libxcb1-dev libxcb-composite0-dev libxcb-damage0-dev libxcb-randr0-dev \
	libxcb-shape0-dev libxcb-shm0-dev libxcb-xfixes0-dev libpng-dev libpango1.0-dev \
	fonts-dejavu-core pkg-config
TEST_PACKAGES = xvfb xserver-xephyr tigervnc-standalone-server x11-utils x11-apps \
	x11-xserver-utils xterm openbox picom xcompmgr xdotool hsetroot fonts-vlgothic

.PHONY: all deps build demo test bench check sanitize install uninstall clean

all: build

# Asks for nothing, and for no password, when all is there.
deps:
	@missing=$$(for package in $(BUILD_PACKAGES) $(TEST_PACKAGES); do \
		dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q ' installed$$' || \
		echo $$package; done); \
	if [ -n "$$missing" ]; then \
		sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$sudo apt-get update && \
		$$sudo apt-get install -y --no-install-recommends $$missing; \
	fi
	@command -v $(SWIFT) >/dev/null || \
		{ echo "no 'swift' in PATH: install Swift 6.3 from https://swift.org/install" >&2; exit 69; }

build:
	$(SWIFT) build $(RELEASE) --product backdropd
	$(SWIFT) build $(RELEASE) --product backdropctl

demo: deps build
	$(PROGRAMS)/backdropctl demo

test:
	$(SWIFT) test $(TEST) --disable-xctest

bench: build
	$(PROGRAMS)/backdropctl bench

check:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests
	$(SWIFT) build $(TEST) --build-tests --explicit-target-dependency-import-check error

# Each sanitizer in its own scratch path: they cannot share objects. XCTest, which no test of ours
# uses, leaks a little by itself. The thread sanitizer does not see the standard library's Mutex take
# turns, so tests must not run side by side under it. What is skipped bounds the memory of a process:
# here most of that is the sanitizer's, which keeps what is freed and notes on every address. What draws
# text is skipped where leaks are looked for: fontconfig keeps its caches to the end, and loses some bytes.
sanitize:
	$(SWIFT) test $(TEST)/address --sanitize address --disable-xctest \
		--skip memoryDoesNotGrowWithPanesThatComeAndGo \
		--skip memoryComesBackFromPanesThatHeldPictures \
		--skip windowsThatLiveForAMomentDisturbNothing \
		--skip aMillionWindowsThatAreDestroyedDuringTheirCaptureDisturbNothing \
		--skip aSheetShowsEachOfThemOverAPicture \
		--skip PicturesTests --skip CommandTests.ContentTests --skip BadContentTests \
		--skip LiveContentTests --skip LiveOutlineTests
	$(SWIFT) test $(TEST)/thread --sanitize thread --disable-xctest --no-parallel \
		--skip memoryDoesNotGrowWithPanesThatComeAndGo \
		--skip memoryComesBackFromPanesThatHeldPictures \
		--skip windowsThatLiveForAMomentDisturbNothing \
		--skip aMillionWindowsThatAreDestroyedDuringTheirCaptureDisturbNothing

# Builds nothing, so that `sudo make install` after `make build` leaves no file of root's behind.
install:
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(unitdir) $(DESTDIR)$(mandir)
	install -s -m 755 $(PROGRAMS)/backdropd $(PROGRAMS)/backdropctl $(DESTDIR)$(bindir)
	sed 's|@bindir@|$(bindir)|' systemd/backdropd.service.in > $(DESTDIR)$(unitdir)/backdropd.service
	chmod 644 $(DESTDIR)$(unitdir)/backdropd.service
	install -m 644 docs/man/backdropd.1 docs/man/backdropctl.1 $(DESTDIR)$(mandir)
	$(call completion,bash,share/bash-completion/completions/backdropctl)
	$(call completion,zsh,share/zsh/site-functions/_backdropctl)
	$(call completion,fish,share/fish/vendor_completions.d/backdropctl.fish)

define completion
install -d $(DESTDIR)$(PREFIX)/$(dir $(2))
$(PROGRAMS)/backdropctl --generate-completion-script $(1) > $(DESTDIR)$(PREFIX)/$(2)
chmod 644 $(DESTDIR)$(PREFIX)/$(2)
endef

uninstall:
	rm -f $(DESTDIR)$(bindir)/backdropd $(DESTDIR)$(bindir)/backdropctl
	rm -f $(DESTDIR)$(unitdir)/backdropd.service
	rm -f $(DESTDIR)$(mandir)/backdropd.1 $(DESTDIR)$(mandir)/backdropctl.1
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/backdropctl
	rm -f $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_backdropctl
	rm -f $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/backdropctl.fish

clean:
	rm -rf $(SCRATCH)
