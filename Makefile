# SPDX-License-Identifier: GPL-2.0-or-later
# For those whose fingers type make: everything is done by meson and ninja in build/.
all: build/build.ninja
	ninja -C build

build/build.ninja:
	meson setup build

check:
	./check

test: all
	meson test -C build

install: all
	meson install -C build

clean:
	rm -rf build build-asan

.PHONY: all check test install clean
