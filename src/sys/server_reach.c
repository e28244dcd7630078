/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/server_reach.h"

#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

enum { SERVERS_MAX = 8, LOOK_EVERY_MS = 5 };

/* "http://host:port/path", "https://[::1]/": where to connect to; false: no such URL. */
static bool split_url(const char *url, size_t len, char host[256], char port[8])
{
	bool https = len > 8 && !strncmp(url, "https://", 8);
	size_t skip = https ? 8 : 7, n;
	const char *at, *end, *user;

	if (!https && !(len > 7 && !strncmp(url, "http://", 7)))
		return false;
	at = url + skip;
	end = at + strcspn(at, "/?# ");
	end = MIN(end, url + len);
	user = memchr(at, '@', (size_t)(end - at));
	at = user ? user + 1 : at;
	if (at < end && *at == '[') {
		const char *close = memchr(at, ']', (size_t)(end - at));

		if (!close)
			return false;
		n = (size_t)(close - ++at);
		end = close + 1 < end && close[1] == ':' ? end : close + 1;
		snprintf(port, 8, "%.*s", end > close + 1 ? (int)MIN(end - close - 2, 7) : 0,
			 close + 2);
	} else {
		const char *colon = memchr(at, ':', (size_t)(end - at));

		n = (size_t)((colon ? colon : end) - at);
		snprintf(port, 8, "%.*s", colon ? (int)MIN(end - colon - 1, 7) : 0,
			 colon ? colon + 1 : "");
	}
	if (!*port)
		snprintf(port, 8, "%s", https ? "443" : "80");
	if (!n || n >= 256)
		return false;
	snprintf(host, 256, "%.*s", (int)n, at);
	return true;
}

static bool through_proxy(void)
{
	static const char *const names[] = { "http_proxy", "https_proxy", "HTTPS_PROXY",
					     "all_proxy", "ALL_PROXY" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (getenv(names[i]))
			return true;
	return false;
}

/* In the child. */
static bool connects(const char *host, const char *port)
{
#ifdef STATIC_PROGRAM
	(void)host;
	(void)port;
	return false;
#else
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *all = NULL;

	if (getaddrinfo(host, port, &hints, &all))
		return false;
	for (struct addrinfo *a = all; a; a = a->ai_next) {
		int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);

		if (fd >= 0 && !connect(fd, a->ai_addr, a->ai_addrlen))
			return true;
		if (fd >= 0)
			close(fd);
	}
	return false;
#endif
}

/* A child that tries; 0 = the answer is known. */
static pid_t begin(const char *url, size_t len, enum server_reach *answer)
{
	char host[256], port[8], path[4096];
	pid_t pid;

	*answer = SERVER_UNKNOWN;
	if (len > 7 && !strncmp(url, "file://", 7)) {
		struct stat st;

		snprintf(path, sizeof(path), "%.*s", (int)MIN(len - 7, sizeof(path) - 1), url + 7);
		*answer = !stat(path, &st) && S_ISDIR(st.st_mode) ? SERVER_REACHED
								  : SERVER_NOT_REACHED;
		return 0;
	}
	if (!split_url(url, len, host, port) || through_proxy())
		return 0;
	pid = fork();
	if (pid == 0)
		_exit(connects(host, port) ? 0 : 1);
	return pid < 0 ? 0 : pid;
}

static u64 now_ms(void)
{
	return clock_now() / 1000000;
}

/* Until the deadline, then it is ended. */
static enum server_reach finish(pid_t pid, u64 deadline)
{
	struct timespec pause = { .tv_nsec = LOOK_EVERY_MS * 1000000L };
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (now_ms() >= deadline) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			return SERVER_NOT_REACHED;
		}
		nanosleep(&pause, NULL);
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? SERVER_REACHED : SERVER_NOT_REACHED;
}

enum server_reach sys_servers_reach(const char *urls, unsigned int milliseconds)
{
	enum server_reach best = SERVER_NOT_REACHED, answer;
	u64 deadline = now_ms() + milliseconds;
	pid_t pids[SERVERS_MAX];
	size_t nr = 0;

	for (const char *at = urls + strspn(urls, " "); *at && nr < SERVERS_MAX;
	     at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");

		pids[nr] = begin(at, len, &answer);
		if (pids[nr])
			nr++;
		else if (best != SERVER_REACHED && answer != SERVER_NOT_REACHED)
			best = answer;
		at += len;
	}
	for (size_t i = 0; i < nr; i++)
		if (finish(pids[i], deadline) == SERVER_REACHED)
			best = SERVER_REACHED;
	return best;
}
