/* openssl.c - the command openssl, for tests: certificates, clients and servers with TLS. */
#include "openssl.h"
#include "daemon.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS 32

/* In the child. */
static void
become(const char *dir, int in, int out, int err, const char *const *words)
{
	char *argv[WORDS + 2] = { (char *)(uintptr_t) "openssl" };
	size_t n = 1;

	for (; *words != NULL && n <= WORDS; words++)
		argv[n++] = (char *)(uintptr_t)*words;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (chdir(dir) == -1 || dup2(in, 0) == -1 || dup2(out, 1) == -1 || dup2(err, 2) == -1)
		_exit(126);
	(void)execvp(argv[0], argv);
	_exit(127);
}

static pid_t
spawn(const char *dir, int in, int out, int err, const char *const *words)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		become(dir, in, out, err, words);
	return pid;
}

char *
openssl_words(const char *dir, const char *in, const char *const *words)
{
	FILE *from = tmpfile(), *to = tmpfile();
	long len;
	char *said;
	pid_t pid;

	assert_true(from != NULL && to != NULL);
	(void)fputs(in != NULL ? in : "", from);
	rewind(from);
	pid = spawn(dir, fileno(from), fileno(to), fileno(to), words);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(fseek(to, 0, SEEK_END), 0);
	len = ftell(to);
	rewind(to);
	said = calloc(1, (size_t)len + 1);
	assert_non_null(said);
	assert_int_equal(fread(said, 1, (size_t)len, to), (size_t)len);
	(void)fclose(from);
	(void)fclose(to);
	return said;
}

static const char *
path_in(const char *dir, const char *name, const char *suffix)
{
	static _Thread_local char path[4][256];
	static _Thread_local unsigned turn;
	char *out = path[turn++ % 4];

	(void)snprintf(
	    out, sizeof(path[0]), "%s%s%s%s", dir, *dir != '\0' ? "/" : "", name, suffix);
	return out;
}

static void
describe(const char *dir, const char *name, const char *extensions)
{
	FILE *file = fopen(path_in(dir, name, ".cnf"), "w");

	assert_non_null(file);
	(void)fprintf(file,
	    "[req]\ndistinguished_name = dn\nx509_extensions = ext\n[dn]\n[ext]\n%s\n", extensions);
	assert_int_equal(fclose(file), 0);
}

#define NEW(dir, name, ...)                                                                       \
	OPENSSL(dir, NULL, "req", "-x509", "-config", path_in("", name, ".cnf"), "-newkey", "ec", \
	    "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "20", "-keyout",            \
	    path_in("", name, ".key"), "-out", path_in("", name, ".pem"), __VA_ARGS__)

void
openssl_certificate(const char *dir, const char *name, const char *names)
{
	char extensions[512], subject[128], *said;

	if (access(path_in(dir, "ca", ".pem"), F_OK) == -1) {
		describe(dir, "ca", "basicConstraints = critical, CA:TRUE");
		free(NEW(dir, "ca", "-subj", "/CN=test authority"));
	}
	(void)snprintf(extensions, sizeof(extensions),
	    "basicConstraints = CA:FALSE\nsubjectAltName = %s", names);
	describe(dir, name, extensions);
	(void)snprintf(subject, sizeof(subject), "/CN=%s", name);
	said = NEW(dir, name, "-CA", "ca.pem", "-CAkey", "ca.key", "-subj", subject);
	if (access(path_in(dir, name, ".pem"), F_OK) == -1)
		fail_msg("openssl made no certificate: %s", said);
	free(said);
}

pid_t
openssl_client(const char *dir, int port, int *fd)
{
	char address[32];
	int ends[2], nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	pid_t pid;

	(void)snprintf(address, sizeof(address), "127.0.0.1:%d", port);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	pid = spawn(dir, ends[1], ends[1], nowhere,
	    (const char *const[]){ "s_client", "-quiet", "-verify_quiet", "-verify_return_error",
		"-CAfile", "ca.pem", "-verify_ip", "127.0.0.1", "-alpn", "http/1.1", "-connect",
		address, NULL });
	close(ends[1]);
	close(nowhere);
	*fd = ends[0];
	return pid;
}

static pid_t
serve(const char *dir, const char *name, const char *mode, int *out, int *port)
{
	const char *at = NULL;
	char said[256];
	size_t len = 0;
	ssize_t n = 1;
	int ends[2], nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid = spawn(dir, nothing, ends[1], nothing,
	    (const char *const[]){ "s_server", mode, "-accept", "127.0.0.1:0", "-cert",
		path_in("", name, ".pem"), "-key", path_in("", name, ".key"), NULL });
	close(ends[1]);
	close(nothing);
	while (n > 0 && (at == NULL || strchr(at, '\n') == NULL) && len < sizeof(said) - 1) {
		n = read(ends[0], said + len, sizeof(said) - 1 - len);
		len += n > 0 ? (size_t)n : 0;
		said[len] = '\0';
		at = strstr(said, "ACCEPT 127.0.0.1:");
	}
	assert_non_null(at);
	*port = (int)strtol(at + strlen("ACCEPT 127.0.0.1:"), NULL, 10);
	*out = ends[0];
	return pid;
}

pid_t
openssl_server(const char *dir, const char *name, int *port)
{
	int out;
	pid_t pid = serve(dir, name, "-www", &out, port);

	close(out);
	return pid;
}

pid_t
openssl_files(const char *dir, const char *name, int *out, int *port)
{
	return serve(dir, name, "-HTTP", out, port);
}

void
openssl_end(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

void
openssl_forget(const char *dir)
{
	DIR *open = opendir(dir);
	const struct dirent *entry;

	assert_non_null(open);
	while ((entry = readdir(open)) != NULL)
		(void)unlinkat(dirfd(open), entry->d_name, 0);
	closedir(open);
	assert_int_equal(rmdir(dir), 0);
}
