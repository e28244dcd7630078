# SPDX-License-Identifier: GPL-2.0-or-later
# say.sh: output through the guest's console port, whose driver is a module.
# shellcheck shell=sh
for i in 1 2 3 4 5 6; do
	echo "noise $i" >/vm/o
	sleep 0.02
done
