/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends over TCP on the loopback: 1000 bytes on an open connection, 10 on one that the other side has closed its half of. */
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	char data[1000] = { 0 };
	int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0), server;

	if (bind(listener, (void *)&at, len) || listen(listener, 1) || getsockname(listener, (void *)&at, &len) ||
	    connect(client, (void *)&at, len) || (server = accept(listener, NULL, NULL)) < 0) {
		perror("send");
		return 1;
	}
	if (send(client, data, 1000, 0) != 1000 || shutdown(server, SHUT_WR) || read(client, data, 1) != 0 ||
	    send(client, data, 10, 0) != 10) {
		perror("send");
		return 1;
	}
	puts("sent");
	return 0;
}
