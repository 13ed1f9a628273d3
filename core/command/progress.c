/* progress.c - one line on a terminal's standard error, and signals. */
#include "command/progress.h"
#include "base/clock.h"
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#define PAUSE_MS 100

static atomic_bool stopped;
static bool shown;
static int64_t last; /* clock_monotonic */

static void
interrupted(int number)
{
	(void)number;
	atomic_store(&stopped, true);
}

const atomic_bool *
progress_stop(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = interrupted };

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		(void)sigaction(numbers[i], &action, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	return &stopped;
}

void
progress_show(void *arg, const char *what, uint64_t done, uint64_t all)
{
	int64_t now = clock_monotonic();

	(void)arg;
	if (all == 0 || now - last < PAUSE_MS || isatty(STDERR_FILENO) == 0)
		return;
	last = now;
	shown = true;
	fprintf(stderr, "\r%s: %u %%\033[K", what, (unsigned)((double)done * 100 / (double)all));
	fflush(stderr);
}

void
progress_end(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
}
