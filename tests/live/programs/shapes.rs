// SPDX-License-Identifier: GPL-2.0-or-later
// Two threads: recursion, closures, traits, maps, sorting. Argument: milliseconds.
use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

fn fib(n: u64) -> u64 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}

trait Shape {
    fn area(&self) -> f64;
}

struct Square(f64);

impl Shape for Square {
    fn area(&self) -> f64 {
        (0..200).map(|i| (self.0 + i as f64).sqrt()).sum()
    }
}

fn words(n: usize) -> usize {
    let mut m: HashMap<String, usize> = HashMap::new();
    for i in 0..n {
        *m.entry(format!("{}-{}", i % 17, i)).or_insert(0) += 1;
    }
    let mut v: Vec<_> = m.into_iter().collect();
    v.sort_by(|a, b| a.0.cmp(&b.0));
    v.len()
}

fn main() {
    let ms: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let end = Instant::now() + Duration::from_millis(ms);
    let t = thread::spawn(move || {
        let mut sum = 0;
        while Instant::now() < end {
            sum += words(500);
        }
        sum
    });
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(2.0)), Box::new(Square(3.0))];
    let (mut x, mut y) = (0.0, 0);
    while Instant::now() < end {
        y += fib(18);
        x += shapes.iter().map(|s| s.area()).sum::<f64>();
    }
    println!("{} {} {}", x, y, t.join().unwrap());
}
