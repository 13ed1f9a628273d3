/*
 * storm_ask.c - the requests of the storm, and the command beside it.
 */
#include "storm.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int storm_port;
char storm_token[128], storm_site[64], storm_build[512];

/* ---- the command ---- */

/* Starts a program with up to 12 words. */
pid_t
storm_spawn(const char *const *words, int out)
{
	const char *argv[16] = { "stet", "--data", storm_site };
	char path[600];
	pid_t pid;

	for (int i = 0; words[i] != NULL && i < 12; i++)
		argv[3 + i] = words[i];
	snprintf(path, sizeof(path), "%s/stet", storm_build);
	if ((pid = fork()) < 0)
		storm_bail("fork");
	if (pid == 0) {
		dup2(out, STDOUT_FILENO);
		execv(path, (char **)(uintptr_t)argv);
		_exit(127);
	}
	return pid;
}

bool
storm_stet(char *out, size_t size, const char *const *words)
{
	int fd[2], status;
	ssize_t n;
	size_t len = 0;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) != 0)
		storm_bail("pipe");
	pid = storm_spawn(words, fd[1]);
	close(fd[1]);
	while (len < size - 1 && (n = read(fd[0], out + len, size - 1 - len)) > 0)
		len += (size_t)n;
	close(fd[0]);
	out[len] = '\0';
	out[strcspn(out, "\n")] = '\0';
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- the client ---- */

struct storm_client *
storm_open(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)storm_port) };
	struct storm_client *c = malloc(sizeof(*c));

	if (c == NULL)
		storm_bail("malloc");
	c->token = storm_token;
	c->reply[0] = '\0';
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (c->fd >= 0 && connect(c->fd, (struct sockaddr *)&a, sizeof(a)) != 0) {
		close(c->fd);
		c->fd = -1;
	}
	return c;
}

void
storm_close(struct storm_client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	free(c);
}

static bool
receive(struct storm_client *c)
{
	size_t have = 0, need = 0;
	char *end = NULL, *length;

	while (end == NULL || have < need) {
		ssize_t got = recv(c->fd, c->reply + have, sizeof(c->reply) - 1 - have, 0);

		if (got <= 0)
			return false;
		have += (size_t)got;
		c->reply[have] = '\0';
		if (end == NULL && (end = strstr(c->reply, "\r\n\r\n")) != NULL) {
			length = strcasestr(c->reply, "Content-Length:");
			need = (size_t)(end - c->reply) + 4 +
			       (length != NULL ? strtoul(length + 15, NULL, 10) : 0);
		}
	}
	return true;
}

int
storm_ask(struct storm_client *c, const char *method, const char *path, const char *body)
{
	char text[2048];
	int n = snprintf(text, sizeof(text),
	    "%s /_cms/api%s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\nX-CMS-Request: 1\r\n"
	    "Content-Length: %zu\r\n\r\n%s",
	    method, path, c->token, strlen(body), body);

	if (n >= (int)sizeof(text) || send(c->fd, text, (size_t)n, MSG_NOSIGNAL) != n ||
	    !receive(c))
		return -1;
	return (int)strtol(c->reply + 9, NULL, 10);
}

static const char *
body_of(const struct storm_client *c)
{
	const char *end = strstr(c->reply, "\r\n\r\n");

	return end != NULL ? end + 4 : "";
}

bool
storm_must(
    struct storm_client *c, int status, const char *method, const char *path, const char *body)
{
	int got = storm_ask(c, method, path, body);

	if (got > 0 && got != status)
		printf("# %s %s was answered %d: %.300s\n", method, path, got, body_of(c));
	return got == status;
}

json_t *
storm_data(const struct storm_client *c)
{
	json_t *reply = json_loads(body_of(c), 0, NULL), *data = json_object_get(reply, "data");

	json_incref(data);
	json_decref(reply);
	return data != NULL ? data : json_object();
}
