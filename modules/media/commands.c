/*
 * commands.c - the commands `stet media`: add local files, verify all files, move them, sweep files
 * that nothing names.
 */
#include "media.h"
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- progress ---- */

struct progress {
	int64_t count, of, bytes; /* of: total number; 0: unknown */
	int64_t shown; /* time of the last output, in milliseconds */
};

static void
show(struct progress *p, bool last)
{
	struct timespec now;
	int64_t ms;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
	if (!isatty(STDERR_FILENO) || (!last && ms - p->shown < 200))
		return;
	p->shown = ms;
	fprintf(stderr, "\r%" PRId64, p->count);
	if (p->of > 0)
		fprintf(stderr, " of %" PRId64, p->of);
	fprintf(stderr, " files, %.1f MiB%s", (double)p->bytes / 1048576, last ? "\n" : " ");
}

static const char *
line_start(void)
{
	return isatty(STDERR_FILENO) ? "\r" : "";
}

/* Prints the error of the call and clears it. */
static void
tell(struct stet_call *call, const char *what)
{
	const char *why = stet_error_text(call);

	fprintf(stderr, "%sstet: %s: %s\n", line_start(), what, why);
	stet_error_clear(call);
}

/* ---- stet media add ---- */

#define ADD_USAGE "usage: stet media add FILE ... [--alt TEXT] [--folder FOLDER] [--type TYPE]\n"

struct addition {
	const char *alt, *folder, *folder_id, *type;
	const char *path;
	int fd;
	struct progress progress;
	struct stet_file_moving moving;
	bool failed;
};

static const char *
name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static enum stet_status
take_copy(struct stet_call *call, const struct addition *a)
{
	struct stet_part part = { .name = "file", .filename = name_of(a->path), .type = a->type };
	struct upload u = { .file = &part, .alt = a->alt, .folder = a->folder_id };
	struct stat st;

	STET_TRY(stet_file_temporary_copy(call, a->fd, &part.path));
	if (stat(part.path, &st) != 0)
		return stet_fault(call, "cannot read a temporary file");
	part.size = (size_t)st.st_size;
	if (part.type == NULL)
		STET_TRY(type_look(call, a->fd, &part.type));
	STET_TRY(upload_take(call, &u));
	printf("%s\t%s%s\n", u.same != NULL ? u.same : u.id, a->path,
	    u.same != NULL ? "\t(was there already)" : "");
	return STET_OK;
}

static enum stet_status
add_one(struct stet_call *call, void *arg)
{
	struct addition *a = arg;
	struct stat st;
	enum stet_status status;

	a->fd = open(a->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (a->fd < 0 || fstat(a->fd, &st) != 0 || !S_ISREG(st.st_mode))
		status = stet_fail(call, STET_NOT_FOUND, NULL, "no file that can be read");
	else if ((status = take_copy(call, a)) == STET_OK)
		a->progress.bytes += st.st_size;
	if (a->fd >= 0)
		close(a->fd);
	return status;
}

static bool
parse_add(struct addition *a, int argc, char **argv)
{
	static const struct option options[] = { { "alt", required_argument, NULL, 'a' },
		{ "folder", required_argument, NULL, 'f' },
		{ "type", required_argument, NULL, 't' }, { NULL, 0, NULL, 0 } };
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (c) {
		case 'a':
			a->alt = optarg;
			break;
		case 'f':
			a->folder = optarg;
			break;
		case 't':
			a->type = optarg;
			break;
		default:
			return false;
		}
	return optind < argc;
}

int
add_run(struct stet_call *call, int argc, char **argv)
{
	struct addition a = { .alt = NULL };

	if (!parse_add(&a, argc, argv)) {
		fputs(ADD_USAGE, stderr);
		return 2;
	}
	if (a.folder != NULL && folder_named(call, a.folder, &a.folder_id) != STET_OK) {
		tell(call, a.folder);
		return EXIT_FAILURE;
	}
	a.progress.of = argc - optind;
	for (int i = optind; i < argc; i++) {
		a.path = argv[i];
		if (stet_scope(call, add_one, &a) != STET_OK) {
			tell(call, a.path);
			a.failed = true;
		}
		a.progress.count++;
		show(&a.progress, false);
	}
	show(&a.progress, true);
	return a.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- stet media verify ---- */

static enum stet_status
verify_one(struct stet_call *call, const struct stet_file_row *row, void *arg)
{
	struct addition *a = arg;
	const char *problem = stet_file_check(call, row);

	if (problem != NULL) {
		a->failed = true;
		printf("%s%s\n", line_start(), problem);
	}
	a->progress.count++;
	a->progress.bytes += row->size != NULL ? *row->size : 0;
	show(&a->progress, false);
	return STET_OK;
}

static enum stet_status
count_files(struct stet_call *call, int64_t *count)
{
	struct stet_rows rows;

	STET_TRY(stet_one(
	    call, &rows, STET_NOT_FOUND, "SELECT count(kept_key) FROM media_items", STET_NO_ARGS));
	*count = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

int
verify_run(struct stet_call *call, int argc, char **argv)
{
	struct addition a = { .alt = NULL };

	(void)argv;
	if (argc > 1) {
		fputs("usage: stet media verify\n", stderr);
		return 2;
	}
	if (count_files(call, &a.progress.of) != STET_OK ||
	    stet_file_each(call, "media", &media_files, verify_one, &a) != STET_OK) {
		tell(call, "media verify");
		return EXIT_FAILURE;
	}
	show(&a.progress, true);
	printf("%" PRId64 " files, %s\n", a.progress.count,
	    a.failed ? "not all as they should be" : "all as they should be");
	return a.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- stet media move ---- */

static void
moved(struct stet_call *call, const struct stet_file_moving *now, void *arg)
{
	struct addition *a = arg;

	(void)call;
	if (now->problem != NULL)
		printf("%s%s\n", line_start(), now->problem);
	a->progress.of = now->of;
	a->progress.count = now->count;
	a->progress.bytes = now->bytes;
	show(&a->progress, false);
	a->moving = *now;
}

static int
say_moved(const struct addition *a, const char *to)
{
	const struct stet_file_moving *m = &a->moving;

	printf("%" PRId64 " files are in \"%s\", %" PRId64 " of them copied now\n",
	    m->count - m->wrong, to, m->copied);
	if (m->wrong > 0)
		printf("%" PRId64 " files are not as they should be, and stay\n", m->wrong);
	if (m->kept != NULL)
		printf("The originals stay: %s\n", m->kept);
	else
		printf("%" PRId64 " originals are removed\n", m->removed);
	return m->wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int
move_run(struct stet_call *call, int argc, char **argv)
{
	struct addition a = { .alt = NULL };

	if (argc != 3 || strcmp(argv[1], "--to") != 0) {
		fputs("usage: stet media move --to directory|DRIVER\n", stderr);
		return 2;
	}
	if (stet_file_move(call, argv[2], moved, &a) != STET_OK) {
		tell(call, "media move");
		return EXIT_FAILURE;
	}
	show(&a.progress, true);
	return say_moved(&a, argv[2]);
}

/* ---- stet media sweep ---- */

int
sweep_command_run(struct stet_call *call, int argc, char **argv)
{
	int64_t gone = 0;

	(void)argv;
	if (argc > 1) {
		fputs("usage: stet media sweep\n", stderr);
		return 2;
	}
	if (sweep_all(call) != STET_OK || stet_file_sweep(call, &gone) != STET_OK) {
		tell(call, "media sweep");
		return EXIT_FAILURE;
	}
	printf("%" PRId64 " files that nothing named are removed\n", gone);
	return EXIT_SUCCESS;
}
