/* SPDX-License-Identifier: GPL-2.0-or-later */
static inline __attribute__((always_inline)) int clamp(int v)
{
	return v < 0 ? 0 :
	       v > 255 ? 255 : v;
}

static inline __attribute__((always_inline)) int spread(int v)
{
	int r = clamp(v * 7);

	for (int i = 0; i < (v & 3); i++)
		r += clamp(r + i);
	return r;
}
