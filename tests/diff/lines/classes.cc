/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same for C++: methods, templates, lambdas, namespaces, destructors that run on exceptions. */
#include <stdexcept>
#include <vector>

namespace shapes {
struct guard {
	int &depth;
	explicit guard(int &d) : depth(d) { depth++; }
	~guard() { depth--; }
};

template <typename T> struct square {
	T side;
	T area() const { return side * side; }
};

template <typename F> int each(const std::vector<int> &v, F f)
{
	int sum = 0;

	for (int x : v)
		sum += f(x);
	return sum;
}
} // namespace shapes

int depth;

__attribute__((noinline)) int total(const std::vector<int> &v)
{
	shapes::guard g(depth);

	return shapes::each(v, [](int x) {
		if (x < 0)
			throw std::runtime_error("negative");
		return shapes::square<int>{x}.area();
	});
}

int main(int argc, char **)
{
	std::vector<int> v(argc * 10, argc);

	return total(v) + depth;
}
