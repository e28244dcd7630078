// SPDX-License-Identifier: GPL-2.0-or-later
// Calls that are inlined into each other, closures, interfaces, generic functions; few packages, since each takes a second.
package main

import (
	"sort"
	"strconv"
	"strings"
)

type shape interface{ area() int }
type square struct{ side int }
type pair[T any] struct{ a, b T }

func (s square) area() int      { return s.side * s.side }
func (p pair[T]) swap() pair[T] { return pair[T]{p.b, p.a} }

func add(a, b int) int   { return a + b }
func twice(n int) int    { return add(n, n) }
func fourfold(n int) int { return twice(twice(n)) }

func words(n int) []string {
	count := map[string]int{}
	for i := 0; i < n; i++ {
		count[strings.Repeat(strconv.Itoa(fourfold(i)%17), 3)]++
	}
	all := []string{}
	for w := range count {
		all = append(all, w)
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	return all
}

func main() {
	shapes := []shape{square{3}, &square{4}}
	sum := 0
	for _, s := range shapes {
		sum = add(sum, s.area())
	}
	done := make(chan pair[string])
	go func() {
		all := words(sum)
		done <- pair[string]{all[0], all[len(all)-1]}.swap()
	}()
	println((<-done).a, pair[int]{sum, 1}.swap().b)
}
