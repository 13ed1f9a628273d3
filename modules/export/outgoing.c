/*
 * outgoing.c - the commands "stet export markdown" and "stet export jsonl". Published items are
 * written with what readers see; with --drafts all others too, and drafts of published items.
 */
#include "outgoing.h"
#include "command.h"
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- options ---- */

struct wish {
	struct outgoing o;
	const char *path; /* NULL: none was given */
	json_t *collections, *statuses;
};

static bool
parse(struct wish *w, int argc, char **argv)
{
	static const struct option options[] = { { "collection", required_argument, NULL, 'c' },
		{ "locale", required_argument, NULL, 'l' }, { "drafts", no_argument, NULL, 'd' },
		{ "no-media", no_argument, NULL, 'n' }, { NULL, 0, NULL, 0 } };
	bool good = true;
	int c;

	optind = 0;
	while (good && (c = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (c) {
		case 'c':
			(void)json_object_set_new(w->collections, optarg, json_true());
			break;
		case 'l':
			w->o.x.only = optarg;
			break;
		case 'd':
			(void)json_object_set_new(w->statuses, "draft", json_true());
			(void)json_object_set_new(w->statuses, "scheduled", json_true());
			break;
		case 'n':
			w->o.media = false;
			good = w->o.folders;
			break;
		default:
			good = false;
		}
	w->path = optind < argc ? argv[optind] : NULL;
	return good && optind + 1 >= argc;
}

/* Fails if an option names a collection or a locale that does not exist. */
static enum stet_status
check_names(struct stet_call *call, const struct wish *w)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *const *locales = stet_locales(call), *name;
	const struct stet_collection *c;
	json_t *value;

	json_object_foreach(w->collections, name, value)
	    STET_TRY(schema->collection(call, name, &c));
	if (w->o.x.only == NULL)
		return STET_OK;
	while (*locales != NULL && strcmp(*locales, w->o.x.only) != 0)
		locales++;
	if (*locales == NULL)
		return stet_fail(
		    call, STET_INVALID_INPUT, NULL, "the site has no locale %.60s", w->o.x.only);
	return STET_OK;
}

/* ---- writing ---- */

static enum stet_status
put_line(struct stet_call *call, struct leaving *l)
{
	struct outgoing *o = l->x->arg;
	const char *body;
	json_t *item;

	STET_TRY(object_of(call, l, &item, &body));
	if (json_object_size(l->own) > 0)
		(void)json_object_set(json_object_get(item, "fields"), "_stet", l->own);
	(void)fprintf(o->out, "%s\n", export_json(call, item));
	l->x->done.items++;
	return STET_OK;
}

static enum stet_status
write_items(struct outgoing *o)
{
	enum stet_status status;

	STET_TRY(export_taxonomies(&o->x));
	status = numbers_count(&o->x);
	if (status == STET_OK)
		status = export_items(&o->x);
	numbers_free(&o->x);
	return status;
}

static enum stet_status
write_folder(struct stet_call *call, struct outgoing *o, const char *path)
{
	struct folder f;
	enum stet_status status, ended;

	o->x.put = document_put;
	STET_TRY(folder_begin(call, path, &f));
	o->root = f.fd;
	status = library_copy(o);
	if (status == STET_OK)
		status = redirects_read(o);
	if (status == STET_OK)
		status = write_items(o);
	ended = redirects_end(o);
	return folder_end(call, &f, status != STET_OK ? status : ended);
}

static enum stet_status
write_lines(struct stet_call *call, void *arg, int fd)
{
	struct outgoing *o = arg;
	int copy = dup(fd);
	enum stet_status status;

	o->x.put = put_line;
	o->out = copy != -1 ? fdopen(copy, "w") : NULL;
	if (o->out == NULL)
		return stet_fault(call, "cannot write: %s", strerror(errno));
	status = library_lines(o);
	if (status == STET_OK)
		status = write_items(o);
	if ((ferror(o->out) | fclose(o->out)) != 0 && status == STET_OK)
		status = stet_fail(call, STET_FAULT, NULL, "cannot write: %s", strerror(errno));
	return status;
}

/* ---- the commands ---- */

/* Prints what was written, and what was lost. Returns the exit status. */
static int
show(const struct outgoing *o)
{
	const char *what;
	json_t *count;

	fprintf(stderr, "items\t%" PRId64 "\nfiles\t%" PRId64 "\n", o->x.done.items,
	    o->folders ? o->files : o->x.done.attachments);
	json_object_foreach(o->lost, what, count) fprintf(
	    stderr, "lost\t%" JSON_INTEGER_FORMAT "\t%s\n", json_integer_value(count), what);
	if (json_object_size(o->lost) == 0)
		return EXIT_SUCCESS;
	fputs("not all could be exported\n", stderr);
	return EXIT_FAILURE;
}

static struct wish *
begin(struct stet_call *call, bool folders)
{
	struct wish *w = stet_alloc(call, sizeof(*w));

	*w = (struct wish){ .o = { .folders = folders, .media = true, .root = -1 } };
	w->collections = stet_json_own(call, json_object());
	w->statuses = stet_json_own(call, json_object());
	(void)json_object_set_new(w->statuses, "published", json_true());
	w->o.lost = stet_json_own(call, json_object());
	w->o.earlier = stet_json_own(call, json_object());
	w->o.paths = stet_json_own(call, json_object());
	w->o.x = (struct export){ .call = call,
		.collections = w->collections,
		.statuses = w->statuses,
		.base = stet_base_url(call),
		.locale = stet_locales(call)[0],
		.locales = stet_locales(call)[1] != NULL,
		.arg = &w->o };
	return w;
}

int
command_export_markdown(struct stet_call *call, int argc, char **argv)
{
	struct wish *w = begin(call, true);

	if (!parse(w, argc, argv) || w->path == NULL) {
		fputs("usage: stet export markdown DIRECTORY " OUTGOING_OPTIONS " [--no-media]\n",
		    stderr);
		return 2;
	}
	if (check_names(call, w) != STET_OK || write_folder(call, &w->o, w->path) != STET_OK)
		return EXIT_FAILURE;
	return show(&w->o);
}

int
command_export_jsonl(struct stet_call *call, int argc, char **argv)
{
	struct wish *w = begin(call, false);
	enum stet_status status;

	if (!parse(w, argc, argv)) {
		fputs("usage: stet export jsonl [FILE] " OUTGOING_OPTIONS "\n", stderr);
		return 2;
	}
	status = check_names(call, w);
	if (status == STET_OK)
		status = w->path != NULL && strcmp(w->path, "-") != 0
			     ? command_file(call, w->path, write_lines, &w->o)
			     : write_lines(call, &w->o, STDOUT_FILENO);
	return status == STET_OK ? show(&w->o) : EXIT_FAILURE;
}
