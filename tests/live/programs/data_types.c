/*
 * Structures in arrays of their own, so that an address tells which of them it is in and where; and
 * code that goes over them in the ways that programs do. Functions that are called touch_TYPE_OFFSET
 * access that place, so that its type must be told there; nobody can know where an index leads to in a structure with
 * arrays, which is called "index".
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

struct point {
	int x, y;
	double w;
};
struct node {
	struct node *next;
	long key;
	struct point at;
	char name[16];
	union {
		int i;
		float f;
	} u;
	struct leaf *leaf;
};
struct leaf {
	struct leaf *left, *right;
	unsigned int weight : 7, seen : 1;
	short numbers[10];
	struct node *owner;
	long sum;
};
struct table {
	int nr;
	struct node *heads[32];
	struct point corners[4];
	unsigned long hits;
};
typedef struct {
	unsigned int low : 3, high : 13;
	long after;
} nameless;
struct message {
	int kind;
	long body[3];
};

enum { NODES = 64, LEAVES = 31, TABLES = 2, MESSAGES = 8 };
struct node all_nodes[NODES];
struct leaf all_leaves[LEAVES];
struct table all_tables[TABLES];
struct message all_messages[MESSAGES];
long counter;
volatile long sink;

NOINLINE long touch_node_8(struct node *n)
{
	return n->key;
}
NOINLINE void touch_node_20(struct node *n, int y)
{
	n->at.y = y;
}
NOINLINE long touch_leaf_8(struct leaf *l)
{
	return l->right ? 1 : 2;
}
NOINLINE long touch_leaf_48(struct node *n)
{
	return n->leaf ? n->leaf->sum : 0;
}
NOINLINE struct node *touch_table_8(struct table *t, int i)
{
	return t->heads[i];
}
NOINLINE void touch_table_328(struct table *t)
{
	t->hits++;
}
NOINLINE long touch_message_index(struct message *m, int i)
{
	return m[i].kind;
}

nameless a_nameless;
NOINLINE long high_bits(nameless *n)
{
	return n->high & 1;
}
NOINLINE long touch_nameless_8(const nameless *n)
{
	return n->after;
}

/* What compilers add to the index and to the address of the table: that number is the address of another variable. */
NOINLINE long biased(long i)
{
	long before[4] = { i, i + 1, i + 2, i + 3 };
	struct point points[4] = { { 1, 2, i } };
	long s = 0;

	__asm__ volatile("" : : "r"(before), "r"(points) : "memory");
	for (int k = 0; k < MESSAGES; k++) {
		s += all_messages[k].body[2];
		s ^= all_leaves[k].sum;
		s *= 3;
	}
	return s + all_nodes[i - NODES].key + all_leaves[i - 40].sum + (long)all_tables[i - 63].hits + before[i - 62] +
	       points[i - 64].x;
}

static inline struct node *first_of(struct table *t, int i)
{
	return t->heads[i & 31];
}

NOINLINE long walk_list(struct node *n, long key)
{
	long s = 0;

	for (; n; n = n->next) {
		if (n->key == key)
			s += n->at.y;
		s += n->u.i + n->name[key & 15];
	}
	return s;
}

NOINLINE long look_up(struct table *t, long key)
{
	struct node *n;
	long s = 0;

	for (int i = 0; i < 32; i++)
		for (n = first_of(t, i); n; n = n->next)
			if (n->key == key && n->leaf)
				s += n->leaf->owner->at.x;
	t->hits++;
	return s;
}

NOINLINE long add_tree(struct leaf *l)
{
	long s;

	if (!l)
		return 0;
	s = add_tree(l->left) + add_tree(l->right) + l->weight;
	for (int i = 0; i < 10; i++)
		s += l->numbers[i];
	l->sum = s;
	return s;
}

NOINLINE double corners(struct table *t)
{
	double s = 0;

	for (int i = 0; i < 4; i++) {
		t->corners[i].x += i;
		s += t->corners[i].w * t->corners[i].y;
	}
	return s;
}

NOINLINE long handle(struct message *m)
{
	switch (m->kind) {
	case 0:
		return m->body[0];
	case 1:
		counter++;
		/* falls through */
	case 2:
		return m->body[1] + m->body[2];
	case 3:
		m->body[0] = 0;
		return 1;
	case 4:
		return m->body[0] - m->body[1];
	case 5:
		return m->body[2];
	default:
		return -1;
	}
}

NOINLINE long reverse(struct node **head)
{
	struct node *before = NULL, *n = *head;
	long nr = 0;

	while (n) {
		struct node *next = n->next;

		n->next = before;
		before = n;
		n = next;
		nr++;
	}
	*head = before;
	return nr;
}

NOINLINE long on_stack(int k)
{
	volatile long local[8] = { 0 };
	struct point p = { k, k + 1, 2 };

	for (int i = 0; i < 20; i++)
		local[i & 7] += i;
	sink = (long)&p;
	return local[3] + (long)p.w;
}

NOINLINE void swap_nodes(struct node *a, struct node *b)
{
	struct node t = *a;

	*a = *b;
	*b = t;
}

static void fill(void)
{
	for (int i = 0; i < NODES; i++) {
		struct node *n = &all_nodes[i];
		struct table *t = &all_tables[i & 1];

		n->key = i;
		n->at = (struct point){ i, -i, i };
		n->leaf = &all_leaves[i % LEAVES];
		n->next = t->heads[i / 2 % 16];
		t->heads[i / 2 % 16] = n;
		t->nr++;
	}
	for (int i = 0; i < LEAVES; i++) {
		all_leaves[i].left = 2 * i + 1 < LEAVES ? &all_leaves[2 * i + 1] : NULL;
		all_leaves[i].right = 2 * i + 2 < LEAVES ? &all_leaves[2 * i + 2] : NULL;
		all_leaves[i].owner = &all_nodes[i];
		all_leaves[i].weight = i;
	}
	for (int i = 0; i < MESSAGES; i++)
		all_messages[i].kind = i;
}

#define ARRAY(type, array) \
	printf("array %s %#lx %zu %zu\n", #type, (unsigned long)array, sizeof(array), sizeof(*array))
#define FIELD(type, field)                                                                         \
	printf("field %s %zu %zu %s\n", #type, offsetof(struct type, field),                       \
	       sizeof(((struct type *)0)->field), #field)

static void tell(void)
{
	ARRAY(node, all_nodes);
	ARRAY(leaf, all_leaves);
	ARRAY(table, all_tables);
	ARRAY(message, all_messages);
	FIELD(node, next), FIELD(node, key), FIELD(node, at.x), FIELD(node, at.y), FIELD(node, at.w);
	FIELD(node, name), FIELD(node, u), FIELD(node, leaf);
	FIELD(leaf, left), FIELD(leaf, right), FIELD(leaf, numbers), FIELD(leaf, owner);
	FIELD(leaf, sum);
	FIELD(table, nr), FIELD(table, heads), FIELD(table, corners), FIELD(table, hits);
	FIELD(message, kind), FIELD(message, body);
}

__attribute__((cold)) NOINLINE static long repaired(const struct node *n)
{
	return n->at.x > 0 ? 0 : n->key;
}

/* What is rare lies elsewhere, and comes back with something else. */
NOINLINE long repairs(struct node *n)
{
	void *p = n;
	long s = 0;

	if (n->key < 0) {
		n->at.y = (int)repaired(n);
		n->u.i = 1;
		p = n->leaf;
	}
	for (int i = 0; i < NODES; i++)
		s = s * 31 + (((volatile long *)p)[1] >> i);
	return s;
}

int main(void)
{
	long s = 0;

	tell();
	fill();
	for (int k = 0; k < 3; k++) {
		struct table *t = &all_tables[k & 1];

		s += walk_list(touch_table_8(t, k), k) + look_up(t, 2 * k) + add_tree(all_leaves);
		s += (long)corners(t) + on_stack(k) + reverse(&t->heads[k]);
		s += touch_node_8(&all_nodes[k]) + touch_leaf_8(&all_leaves[k]);
		s += touch_leaf_48(&all_nodes[k]) + touch_message_index(all_messages, k) + biased(NODES) +
		     high_bits(&a_nameless) + touch_nameless_8(&a_nameless);
		touch_node_20(&all_nodes[k], k);
		touch_table_328(t);
		s += repairs(&all_nodes[k]);
		swap_nodes(&all_nodes[k], &all_nodes[k + 7]);
	}
	for (int i = 0; i < MESSAGES; i++)
		s += handle(&all_messages[i]);
	printf("sum %ld\n", s);
	return 0;
}
