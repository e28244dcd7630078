// SPDX-License-Identifier: GPL-2.0-or-later
// A known stack, with inlined calls, under a loop that copies memory and counts. Argument: rounds. Prints the callers
// of the loop's function as the runtime sees them, a line "function file:line" each.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

var from, to [1 << 20]byte

//go:noinline
func hot(rounds int) int {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		fmt.Printf("%s %s:%d\n", f.Function, filepath.Base(f.File), f.Line)
		if !more {
			break
		}
	}
	n := 0
	for r := 0; r < rounds; r++ {
		for i := 0; i < 200; i++ {
			n += copy(to[i:], from[:1<<12])
		}
		for i := 1; i < 20000; i++ {
			n += i * n / (i + 7)
		}
	}
	return n
}

func inner(rounds int) int {
	return hot(rounds) + 1
}

func middle(rounds int) int {
	return inner(rounds) + 2
}

//go:noinline
func outer(rounds int) int {
	return middle(rounds) + 3
}

func main() {
	rounds := 1000
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	if outer(rounds) == 0 {
		os.Exit(1)
	}
}
