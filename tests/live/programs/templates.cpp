// SPDX-License-Identifier: GPL-2.0-or-later
// Two threads: templates, lambdas, virtual functions, streams, regular expressions, exceptions.
// Argument: milliseconds of CPU time.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Base {
	virtual ~Base() {}
	virtual long work(int n) = 0;
};

template <typename T> struct Derived : Base {
	T factor;
	std::map<std::string, int> seen;

	explicit Derived(T f) : factor(f) {}
	long work(int n) override
	{
		std::vector<std::string> v;

		for (int i = 0; i < n; i++)
			v.push_back(std::to_string((i * 7919) % n));
		std::sort(v.begin(), v.end(), [this](const std::string &a, const std::string &b) {
			return a.size() * factor < b.size() * factor || (a.size() == b.size() && a < b);
		});
		for (auto &s : v)
			seen[s]++;
		return seen.size();
	}
};

static long thrower(int n)
{
	if (n == 0)
		throw std::runtime_error("x");
	return thrower(n - 1) + 1;
}

static long print()
{
	std::ostringstream o;

	for (int i = 0; i < 100; i++)
		o << i * 1.5;
	return o.str().size();
}

int main(int, char **argv)
{
	clock_t end = clock() + atol(argv[1]) * (CLOCKS_PER_SEC / 1000);
	long sum = 0, other = 0;
	std::thread t([&] {
		while (clock() < end) {
			std::unique_ptr<Base> b = std::make_unique<Derived<int>>(1);

			other += b->work(300);
		}
	});
	std::function<long(int)> match = [](int n) {
		std::regex re("([a-z]+)([0-9]*)");
		std::smatch m;
		std::string s = "abc" + std::to_string(n);

		std::regex_match(s, m, re);
		return static_cast<long>(m.size());
	};

	while (clock() < end) {
		sum += match(3) + print();
		try {
			thrower(20);
		} catch (std::exception &e) {
			sum++;
		}
	}
	t.join();
	std::cout << sum + other << "\n";
}
