#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# used.sh PID MS: waits until the process has used so many more milliseconds of CPU time, or has ended. What is recorded
# meanwhile has as many samples beside others on a busy machine as on an idle one.
ms() {
	read -ra f 2>/dev/null < /proc/$1/stat || exit 0
	used=$(((f[13] + f[14]) * 10))
}
ms $1
until_then=$((used + $2))
while ms $1; [ $used -lt $until_then ]; do
	sleep 0.1
done
