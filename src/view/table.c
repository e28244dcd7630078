/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/table.h"

enum view_class view_class_of(double percent)
{
	if (percent >= 5.0)
		return VIEW_HOT;
	return percent > 0.5 ? VIEW_WARM : VIEW_PLAIN;
}
