// SPDX-License-Identifier: GPL-2.0-or-later
// Compiled and interpreted functions, builtins and the collector. Argument: milliseconds of CPU time.
function fib(n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

function words(n) {
    const m = new Map();
    for (let i = 0; i < n; i++) {
        const k = 'w' + (i % 17);
        m.set(k, (m.get(k) || 0) + 1);
    }
    return [...m.keys()].sort().join().length;
}

const end = 1000 * Number(process.argv[2]);
let sum = 0;
while (process.cpuUsage().user < end)
    sum += fib(18) + words(1000) + JSON.stringify({ a: [1, 2, 3, sum] }).length;
console.log(sum);
