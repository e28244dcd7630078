#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
/* system calls of 32-bit programs, by a 64-bit program whose memory is below 4 GB */
static long call(long nr, long a, long b, long c, long d, long e)
{
	long r;
	__asm__ volatile("int $0x80" : "=a"(r) : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory", "r8", "r9", "r10", "r11");
	return r;
}
struct low {
	char path[64], text[64];
	uint32_t ts[2], iov[4], msg[7], act[5], lock[4];
	struct pollfd p;
	char buf[256];
};
int main(void)
{
	struct low *l = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
#define P(x) ((long)(x))
	int fd, s[2];

	strcpy(l->path, "/etc/passwd");
	strcpy(l->text, "hello");
	fd = call(5, P(l->path), O_RDONLY | O_CLOEXEC, 0, 0, 0);        /* open */
	call(3, fd, P(l->buf), 5, 0, 0);                                /* read */
	call(197, fd, P(l->buf), 0, 0, 0);                              /* fstat64 */
	call(140, fd, 0, 7, P(l->buf), SEEK_SET);                       /* _llseek */
	l->ts[1] = 1000;
	call(162, P(l->ts), 0, 0, 0, 0);                                /* nanosleep */
	call(265, 1, P(l->ts), 0, 0, 0);                                /* clock_gettime */
	call(403, 1, P(l->buf), 0, 0, 0);                               /* clock_gettime64 */
	socketpair(AF_UNIX, SOCK_STREAM, 0, s);
	l->iov[0] = P(l->text); l->iov[1] = 5;
	call(146, s[0], P(l->iov), 1, 0, 0);                            /* writev */
	l->msg[2] = P(l->iov); l->msg[3] = 1;
	call(370, s[0], P(l->msg), MSG_DONTWAIT, 0, 0);                 /* sendmsg */
	l->act[0] = 1; l->act[3] = 1 << 9;
	call(174, 12, P(l->act), 0, 8, 0);                              /* rt_sigaction */
	l->lock[0] = F_WRLCK; l->lock[1] = 5; l->lock[2] = 7;
	call(221, fd, F_SETLK, P(l->lock), 0, 0);                       /* fcntl64 */
	l->p.fd = fd; l->p.events = POLLIN;
	call(168, P(&l->p), 1, 0, 0, 0);                                /* poll */
	call(122, P(l->buf), 0, 0, 0, 0);                               /* uname */
	call(209, P(l->buf), P(l->buf + 4), P(l->buf + 8), 0, 0);       /* getresuid32 */
	call(192, 0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1); /* mmap2 */
	return 0;
}
