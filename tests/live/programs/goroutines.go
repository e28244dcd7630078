// SPDX-License-Identifier: GPL-2.0-or-later
// Three goroutines: recursion, maps, sorting, interfaces, the collector. Argument: milliseconds.
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

type shape interface{ area() float64 }
type sq struct{ s float64 }

func (q *sq) area() float64 {
	t := 0.0
	for i := 0; i < 100; i++ {
		t += q.s / float64(i+1)
	}
	return t
}
func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}
func words(n int) int {
	m := map[string]int{}
	for i := 0; i < n; i++ {
		m[strings.Repeat(strconv.Itoa(i%17), 3)]++
	}
	k := []string{}
	for s := range m {
		k = append(k, s)
	}
	sort.Slice(k, func(a, b int) bool { return k[a] < k[b] })
	return len(k)
}
func main() {
	ms := 1000
	if len(os.Args) > 1 {
		ms, _ = strconv.Atoi(os.Args[1])
	}
	end := time.Now().Add(time.Duration(ms) * time.Millisecond)
	var wg sync.WaitGroup
	for g := 0; g < 3; g++ {
		wg.Add(1)
		go func(g int) {
			defer wg.Done()
			var s shape = &sq{2}
			x := 0.0
			for time.Now().Before(end) {
				fib(15)
				words(300)
				x += s.area()
			}
			fmt.Println(x)
		}(g)
	}
	wg.Wait()
}
