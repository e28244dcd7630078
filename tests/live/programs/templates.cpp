// SPDX-License-Identifier: GPL-2.0-or-later
// Two threads: templates, lambdas, virtual functions, streams, templates that recurse by way of the library, exceptions.
// Argument: milliseconds of CPU time.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
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

// Matches letters and digits in turns, a level of templates for each state, and calls of the library between them.
template <int State> struct Matcher {
	static bool step(const std::string &s, size_t at, std::vector<size_t> &found)
	{
		std::function<bool(char)> fits = [](char c) { return State % 2 ? c >= '0' && c <= '9' : c >= 'a' && c <= 'z'; };
		bool any = at < s.size() && fits(s[at]) && step(s, at + 1, found);

		if (!any && (State % 2 || at)) {
			std::vector<std::string> parts = { s.substr(at), std::to_string(at) };

			any = std::any_of(parts.begin(), parts.end(), [&](const std::string &) {
				return Matcher<State + 1>::step(s, at, found);
			});
		}
		if (any)
			found.push_back(at);
		return any;
	}
};

template <> struct Matcher<4> {
	static bool step(const std::string &s, size_t at, std::vector<size_t> &) { return at == s.size(); }
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
		std::vector<size_t> found;
		std::string s = "abc" + std::to_string(n);

		Matcher<0>::step(s, 0, found);
		return static_cast<long>(found.size());
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
