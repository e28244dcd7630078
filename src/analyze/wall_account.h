/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wall_account: the lower half of analyze/wall: where a thread was, and time that is given to
 * places as samples.
 */
#ifndef ANALYZE_WALL_ACCOUNT_H
#define ANALYZE_WALL_ACCOUNT_H

#include "analyze/wall.h"
#include "base/map.h"
#include "base/vec.h"

/* What a sample that is made shows, but for its time. */
struct wall_place {
	struct site site;
	u64 ip, cgroup;
	u32 pid, tid, cpu;
	frame_id frame;
	chain_id chain;
	bool known; /* by a sample; else frame is a mark */
	bool io; /* the thread waits for I/O here */
	u8 cpumode;
};

/* Time that is to be given to places, or places that wait for their time. */
struct wall_held {
	struct wall_place at;
	u64 period;
};
struct wall_pool {
	VEC(struct wall_held) held;
	u64 owed; /* ns */
	bool shared; /* they got some: the next place to be held takes theirs */
};

struct wall_waker {
	enum span_waker kind;
	u32 tid;
	str_id comm;
};

/* Chains without the scheduler's functions at their leaf, by number of the whole chain. */
struct wall_chain {
	chain_id chain, tail;
	frame_id frame;
	bool io;
};

struct wall_account {
	struct session *s;
	struct wall_opts o;
	struct wall_sums sums;
	VEC(struct wall_chain) chains;
	struct map by_chain;
	VEC(u8) scheduler; /* by frame: 0 = not asked yet */
	struct session_worker *w; /* of the record at hand */
	bool stopped; /* take() had enough */
};

void wall_account_release(struct wall_account *a);
/* Where a sample was taken; off: it is that of a switch, and the scheduler's functions are left
 * out. */
struct wall_place wall_place_of(struct wall_account *a, const struct session_record *r, bool off);
/* A place without code. */
struct wall_place wall_place_marked(struct wall_account *a, const struct site *site, u32 pid,
				    u32 tid, u32 cpu, const char *mark);
/* The span [from, until) was spent there. */
void wall_give(struct wall_account *a, const struct wall_place *at, enum span_state state,
	       const struct wall_waker *waker, u64 from, u64 until);
/* ns, of which no more is known than one time in them. */
void wall_give_sum(struct wall_account *a, const struct wall_place *at, enum span_state state,
		   const struct wall_waker *waker, u64 ns);

/* Held places get what is owed, each by its period, once there is both; those that had some before
 * only with again. */
void wall_pool_hold(struct wall_pool *p, const struct wall_place *at, u64 period);
void wall_pool_share(struct wall_account *a, struct wall_pool *p, bool again);
/* Held places get their periods, as far as so much is owed. */
void wall_pool_pay(struct wall_account *a, struct wall_pool *p, enum span_state state);
void wall_pool_release(struct wall_pool *p);

extern const char wall_mark_not_sampled[], wall_mark_no_stack[], wall_mark_unknown[];

#endif
