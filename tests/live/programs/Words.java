// SPDX-License-Identifier: GPL-2.0-or-later
// Compiled code in two threads: recursion, and a map's methods. Argument: milliseconds.
import java.util.TreeMap;

public class Words {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int words(int n) {
        TreeMap<String, Integer> m = new TreeMap<>();
        for (int i = 0; i < n; i++)
            m.merge("w" + (i % 97), 1, Integer::sum);
        return m.size();
    }

    public static void main(String[] args) throws Exception {
        long end = System.currentTimeMillis() + Long.parseLong(args[0]);
        Thread t = new Thread(() -> {
            long sum = 0;
            while (System.currentTimeMillis() < end)
                sum += words(1000);
            System.out.println(sum);
        });
        t.start();
        long sum = 0;
        while (System.currentTimeMillis() < end)
            sum += fib(20);
        System.out.println(sum);
        t.join();
    }
}
