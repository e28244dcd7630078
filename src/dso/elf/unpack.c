/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/elf/unpack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/input.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/vec.h"

#define OUT_LIMIT ((size_t)512 << 20) /* bytes of an unpacked file */
#define IN_LIMIT ((off_t)256 << 20) /* bytes of a packed one */

/* A growing output buffer; the steps below write behind done. */
struct unpack_output {
	u8 *buf;
	size_t cap, done;
};

/* Room for more; false beyond the limit. */
static bool more_room(struct unpack_output *o)
{
	if (o->done < o->cap)
		return true;
	if (o->cap >= OUT_LIMIT)
		return false;
	o->cap *= o->buf ? 2 : 1;
	o->buf = xrealloc_array(o->buf, o->cap, 1);
	return true;
}

#ifdef HAVE_LZMA
void *unpack_xz(const void *in, size_t in_size, size_t *out_size)
{
	enum { MEMORY_LIMIT = 256 << 20 };
	struct unpack_output o = { .cap = MAX(in_size * 4, (size_t)65536) };
	lzma_stream strm = LZMA_STREAM_INIT;
	lzma_ret ret = lzma_stream_decoder(&strm, MEMORY_LIMIT, 0);

	o.buf = xmalloc(o.cap);
	strm.next_in = in;
	strm.avail_in = in_size;
	while (ret == LZMA_OK && more_room(&o)) {
		strm.next_out = o.buf + o.done;
		strm.avail_out = o.cap - o.done;
		ret = lzma_code(&strm, LZMA_FINISH);
		o.done = strm.total_out;
		if (ret == LZMA_BUF_ERROR && o.done == o.cap)
			ret = LZMA_OK;
	}
	lzma_end(&strm);
	*out_size = o.done;
	if (ret == LZMA_STREAM_END)
		return o.buf;
	free(o.buf);
	return NULL;
}
#else
void *unpack_xz(const void *in, size_t in_size, size_t *out_size)
{
	(void)in;
	(void)in_size;
	*out_size = 0;
	return NULL;
}
#endif

static void *unpack_gzip(const void *in, size_t in_size, size_t *out_size)
{
	struct unpack_output o = { .cap = MAX(in_size * 4, (size_t)65536) };
	z_stream strm = { .next_in = (Bytef *)(uintptr_t)in, .avail_in = (uInt)in_size };
	int ret = inflateInit2(&strm, 16 + MAX_WBITS);

	if (ret != Z_OK)
		return NULL;
	o.buf = xmalloc(o.cap);
	while (ret == Z_OK && more_room(&o)) {
		strm.next_out = o.buf + o.done;
		strm.avail_out = (uInt)(o.cap - o.done);
		ret = inflate(&strm, Z_NO_FLUSH);
		o.done = strm.total_out;
	}
	inflateEnd(&strm);
	*out_size = o.done;
	if (ret == Z_STREAM_END)
		return o.buf;
	free(o.buf);
	return NULL;
}

#ifdef HAVE_ZSTD
static void *unpack_zstd(const void *in, size_t in_size, size_t *out_size)
{
	struct unpack_output o = { .cap = MAX(in_size * 4, (size_t)65536) };
	ZSTD_DStream *strm = ZSTD_createDStream();
	ZSTD_inBuffer from = { .src = in, .size = in_size };
	size_t ret = 1;

	if (!strm)
		return NULL;
	o.buf = xmalloc(o.cap);
	while (ret && !ZSTD_isError(ret) && more_room(&o)) {
		ZSTD_outBuffer to = { .dst = o.buf, .size = o.cap, .pos = o.done };

		ret = ZSTD_decompressStream(strm, &to, &from);
		if (to.pos == o.done && from.pos == from.size)
			break; /* cut short */
		o.done = to.pos;
	}
	ZSTD_freeDStream(strm);
	*out_size = o.done;
	if (!ret)
		return o.buf;
	free(o.buf);
	return NULL;
}
#else
static void *unpack_zstd(const void *in, size_t in_size, size_t *out_size)
{
	(void)in;
	(void)in_size;
	*out_size = 0;
	return NULL;
}
#endif

static const struct packing {
	u8 magic[6];
	u8 magic_size;
	void *(*unpack)(const void *in, size_t in_size, size_t *out_size);
} packings[] = {
	{ { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, unpack_xz },
	{ { 0x1f, 0x8b }, 2, unpack_gzip },
	{ { 0x28, 0xb5, 0x2f, 0xfd }, 4, unpack_zstd },
};

int unpack_elf_file(const char *path, struct elf_file *f, void **data)
{
	_cleanup_(mem_closep) int fd = input_open(path, 0, NULL);
	_cleanup_(mem_freep) u8 *in = NULL;
	u8 magic[6] = { 0 };
	struct stat st;
	size_t size;

	*data = NULL;
	if (fd < 0 || fstat(fd, &st) < 0 || rw_pread_full(fd, magic, sizeof(magic), 0) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(packings); i++) {
		if (memcmp(magic, packings[i].magic, packings[i].magic_size) != 0)
			continue;
		if (st.st_size > IN_LIMIT)
			return -1;
		in = xmalloc((size_t)st.st_size);
		if (rw_pread_full(fd, in, (size_t)st.st_size, 0) != st.st_size)
			return -1;
		*data = packings[i].unpack(in, (size_t)st.st_size, &size);
		return *data ? elf_open_memory(f, *data, size, NULL) : -1;
	}
	return elf_open(f, path, NULL);
}

/* How a compressed section begins. */
struct packed_head {
	u32 method;
	size_t size; /* of the head */
	u64 out_size;
};

bool unpack_is_packed(const struct elf_section *s)
{
	return s->flags & SHF_COMPRESSED || strncmp(s->name, ".zdebug", strlen(".zdebug")) == 0;
}

/* head: its first bytes, at least those of a whole head, or all that it has. */
static bool read_head(const struct elf_file *f, const struct elf_section *s, const u8 *head,
		      struct packed_head *out)
{
	static const char old_magic[] = { 'Z', 'L', 'I', 'B' };
	u64 be;

	if (s->flags & SHF_COMPRESSED) {
		out->size = f->is64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
		if (s->size < out->size)
			return false;
		out->method = elf_u32(f, head);
		out->out_size = f->is64 ? elf_u64(f, head + offsetof(Elf64_Chdr, ch_size))
					: elf_u32(f, head + offsetof(Elf32_Chdr, ch_size));
		return true;
	}
	out->size = sizeof(old_magic) + sizeof(be);
	if (s->size < out->size || memcmp(head, old_magic, sizeof(old_magic)) != 0)
		return false;
	memcpy(&be, head + sizeof(old_magic), sizeof(be));
	out->method = ELFCOMPRESS_ZLIB;
	out->out_size = __builtin_bswap64(be);
	return true;
}

/* Whether a section may become that large; what it becomes is taken from *room. */
static bool take_room(u64 *room, u64 size, u64 in_size)
{
	/* What deflate makes of one byte at most; zstd makes more of zeros, but not of what is
	 * worth reading. */
	enum { MOST_OF_ONE = 1032 };

	if (size > OUT_LIMIT || size > *room || size / MOST_OF_ONE > in_size)
		return false;
	*room -= size;
	return true;
}

/* Bytes of one deflate or zstd stream whose unpacked size is known. */
static void *unpack_known(u32 method, const u8 *in, size_t in_size, u64 *room, u64 size)
{
	u8 *out;
	bool ok = false;

	if (!take_room(room, size, in_size))
		return NULL;
	out = xmalloc(size + 1);
	if (method == ELFCOMPRESS_ZLIB) {
		uLongf len = size;

		ok = uncompress(out, &len, in, in_size) == Z_OK && len == size;
	}
#ifdef HAVE_ZSTD
	enum { COMPRESS_ZSTD = 2 };

	if (method == COMPRESS_ZSTD)
		ok = ZSTD_decompress(out, size, in, in_size) == size;
#endif
	if (ok)
		return out;
	free(out);
	return NULL;
}

void *unpack_section(const struct elf_file *f, const struct elf_section *s, u64 *room, size_t *size)
{
	struct elf_section plain = *s;
	_cleanup_(mem_freep) u8 *packed = NULL;
	struct packed_head head;

	if (!unpack_is_packed(s)) {
		*size = s->size;
		return elf_section_data(f, s);
	}
	plain.flags &= ~(u64)SHF_COMPRESSED;
	packed = elf_section_data(f, &plain);
	if (!packed || !read_head(f, s, packed, &head))
		return NULL;
	*size = head.out_size;
	return unpack_known(head.method, packed + head.size, s->size - head.size, room,
			    head.out_size);
}

/* ---- in pieces ---- */

/* A place from which unpacking can go on: how far it had come, and where in the file. */
struct unpack_point {
	z_stream z;
	u64 at;
	size_t done;
};

struct unpack_stream {
	z_stream z;
	u64 begin, at, end; /* of the file; before at: given to zlib */
	size_t done; /* bytes unpacked so far */
	size_t size; /* of all that comes out */
	size_t limit; /* what is behind is broken */
	u64 unpacked; /* bytes, also those that were unpacked again */
	VEC(struct unpack_point *) points; /* by done; zlib's states know where they are */
	u8 in[1 << 14];
};

struct unpack_stream *unpack_begin(const struct elf_file *f, const struct elf_section *s, u64 *room,
				   size_t *size)
{
	enum { ZLIB_HEAD = 2, DICTIONARY = 0x20 };
	struct elf_section plain = *s;
	struct unpack_stream *u;
	struct packed_head head;
	u8 first[sizeof(Elf64_Chdr) + ZLIB_HEAD] = { 0 };
	const u8 *zlib;

	plain.flags &= ~(u64)SHF_COMPRESSED;
	if (f->mem || !elf_section_present(f, &plain) ||
	    !elf_read(f, s->offset, first, MIN(sizeof(first), (size_t)s->size)) ||
	    !read_head(f, s, first, &head))
		return NULL;
	zlib = first + head.size;
	/* Others, and broken ones, are judged by unpack_section(). */
	if (head.method != ELFCOMPRESS_ZLIB || s->size < head.size + ZLIB_HEAD ||
	    (zlib[0] & 0xf) != Z_DEFLATED || (zlib[0] << 8 | zlib[1]) % 31 ||
	    zlib[1] & DICTIONARY || !take_room(room, head.out_size, s->size))
		return NULL;
	u = XNEW(struct unpack_stream);
	u->begin = u->at = s->offset + head.size + ZLIB_HEAD;
	u->end = s->offset + s->size;
	u->size = u->limit = head.out_size;
	/* negative: without head and sum, which costs a sixth of the time */
	if (inflateInit2(&u->z, -MAX_WBITS) != Z_OK) {
		free(u);
		return NULL;
	}
	*size = head.out_size;
	return u;
}

/* The last place that unpacking came by before a byte; NULL: the beginning. */
static struct unpack_point *point_before(struct unpack_stream *u, size_t from)
{
	size_t lo = 0;

	for (size_t hi = u->points.nr; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (u->points.v[mid]->done <= from)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? u->points.v[lo - 1] : NULL;
}

size_t unpack_start(struct unpack_stream *u, size_t from)
{
	struct unpack_point *p = point_before(u, from);

	if (u->done <= from && (!p || p->done <= u->done))
		return u->done;
	return p ? p->done : 0;
}

/* Go back to where a byte can be reached from, or on to where it is nearer. */
static bool start_near(struct unpack_stream *u, size_t from)
{
	struct unpack_point *p = point_before(u, from);

	if (unpack_start(u, from) == u->done)
		return true;
	if (p) {
		inflateEnd(&u->z);
		u->z = (z_stream){ 0 };
	}
	if ((p ? inflateCopy(&u->z, &p->z) : inflateReset(&u->z)) != Z_OK) {
		u->limit = 0;
		return false;
	}
	u->at = p ? p->at : u->begin;
	u->done = p ? p->done : 0;
	u->z.avail_in = 0;
	return true;
}

/* Remember this place if the last one is far. */
static void keep_point(struct unpack_stream *u)
{
	size_t last = u->points.nr ? (*VEC_LAST(&u->points))->done : 0;
	struct unpack_point *p;

	if (u->size > UNPACK_ONCE || u->done < last + UNPACK_POINTS)
		return;
	p = XNEW(struct unpack_point);
	p->at = u->at - u->z.avail_in;
	p->done = u->done;
	if (inflateCopy(&p->z, &u->z) == Z_OK)
		*VEC_PUSH(&u->points) = p;
	else
		free(p);
}

/* Up to size bytes more; false: there are none. */
static bool unpack_more(struct unpack_stream *u, int fd, u8 *out, size_t size)
{
	int ret;

	if (!u->z.avail_in) {
		size_t n = (size_t)MIN(sizeof(u->in), u->end - u->at);

		if (!n || rw_pread_full(fd, u->in, n, u->at) != (ssize_t)n)
			return false;
		u->at += n;
		u->z.next_in = u->in;
		u->z.avail_in = (uInt)n;
	}
	u->z.next_out = out;
	u->z.avail_out = (uInt)size;
	ret = inflate(&u->z, Z_NO_FLUSH);
	size -= u->z.avail_out;
	u->done += size;
	u->unpacked += size;
	keep_point(u);
	return size || ((ret == Z_OK || ret == Z_BUF_ERROR) && !u->z.avail_in);
}

size_t unpack_range(struct unpack_stream *u, int fd, u8 *out, size_t from, size_t upto)
{
	u8 over[1 << 14]; /* what nobody asked for */

	upto = MIN(upto, u->limit);
	if (from >= upto || !start_near(u, from))
		return from;
	while (u->done < upto) {
		bool skip = u->done < from;
		size_t size = skip ? MIN(from - u->done, sizeof(over)) : upto - u->done;

		/* so that there is a point at every such distance */
		size = MIN(size, UNPACK_POINTS);
		if (!unpack_more(u, fd, skip ? over : out + (u->done - from), size)) {
			u->limit = u->done;
			break;
		}
	}
	return MAX(from, MIN(u->done, upto));
}

u64 unpack_work(const struct unpack_stream *u)
{
	return u->unpacked;
}

void unpack_end(struct unpack_stream *u)
{
	if (!u)
		return;
	inflateEnd(&u->z);
	VEC_FOR(&u->points, p) {
		inflateEnd(&(*p)->z);
		free(*p);
	}
	vec_free(&u->points);
	free(u);
}
