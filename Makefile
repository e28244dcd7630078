# SPDX-License-Identifier: GPL-2.0-or-later
# For those whose fingers type make: everything is done by meson and ninja in build/.
#
#	make                                  build/perf
#	make install                          install to /usr/local
#	make install prefix=/usr DESTDIR=dir  elsewhere, this time: a prefix is never kept for the next one
#	make uninstall                        remove what the last install here has put there
#	make static                           build-static/perf, which needs no libraries
#	make deb                              a Debian package in build-deb/
prefix ?= /usr/local

all: build/build.ninja
	ninja -C build

build/build.ninja:
	meson setup build

check:
	./check

test: all
	meson test -C build

install: build/build.ninja
	meson configure build -Dprefix=$(prefix)
	ninja -C build
	DESTDIR=$(abspath $(DESTDIR)) meson install -C build --no-rebuild

uninstall:
	ninja -C build uninstall

static:
	[ -f build-static/build.ninja ] || meson setup build-static -Dstatic=true
	ninja -C build-static perf

deb:
	./package

clean:
	rm -rf build build-asan build-static build-deb

.PHONY: all check test install uninstall static deb clean
