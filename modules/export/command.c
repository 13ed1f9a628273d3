/*
 * command.c - `stet export wxr`: writes the site as an export file. The file has a temporary name
 * until it is complete.
 */
#include "command.h"
#include "export.h"
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USAGE \
	"usage: stet export wxr [FILE] [--collection NAME] [--map COLLECTION=TYPE] [--status STATUS]\n"

struct order {
	struct export x;
	const char *path; /* NULL: standard output */
	json_t *collections, *types, *statuses;
};

/* ---- the document ---- */

static void
open_document(struct xml *xml)
{
	static const char *const spaces[][2] = { { "xmlns:excerpt",
						     "http://wordpress.org/export/1.2/excerpt/" },
		{ "xmlns:content", "http://purl.org/rss/1.0/modules/content/" },
		{ "xmlns:wfw", "http://wellformedweb.org/CommentAPI/" },
		{ "xmlns:dc", "http://purl.org/dc/elements/1.1/" },
		{ "xmlns:wp", "http://wordpress.org/export/1.2/" },
		{ "xmlns:stet", "urn:stet:export:1" } };

	xml_comment(xml, " An export of a stet site, in the format of WordPress. ");
	xml_open(xml, "rss");
	xml_attribute(xml, "version", "2.0");
	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
		xml_attribute(xml, spaces[i][0], spaces[i][1]);
	xml_open(xml, "channel");
}

static enum stet_status
write_all(struct export *x)
{
	open_document(x->xml);
	STET_TRY(export_head(x));
	STET_TRY(numbers_count(x));
	STET_TRY(export_definitions(x));
	STET_TRY(export_attachments(x));
	STET_TRY(export_structure(x));
	STET_TRY(export_items(x));
	xml_close(x->xml);
	xml_close(x->xml);
	return STET_OK;
}

static enum stet_status
write_to(struct stet_call *call, void *arg, int fd)
{
	struct export *x = arg;
	enum stet_status status, cleared;

	x->call = call;
	x->run = export_run(call);
	x->recent = stet_json_own(call, json_object());
	x->logins = stet_json_own(call, json_object());
	x->base = stet_base_url(call);
	x->locale = stet_locales(call)[0];
	x->locales = stet_locales(call)[1] != NULL;
	x->xml = xml_begin(fd);
	if (x->xml == NULL)
		stet_out_of_memory();
	status = write_all(x);
	if (!xml_end(x->xml) && status == STET_OK)
		status = stet_fail(call, STET_FAULT, NULL, "cannot write: %s", strerror(errno));
	numbers_free(x);
	cleared = export_forget(call, x->run);
	return status != STET_OK ? status : cleared;
}

/* ---- the file ---- */

static enum stet_status
cannot(struct stet_call *call, const char *path)
{
	return stet_fail(
	    call, STET_INVALID_INPUT, NULL, "cannot write %.500s: %s", path, strerror(errno));
}

/* Syncs the file to disk and renames it. */
static enum stet_status
settle(struct stet_call *call, int fd, const char *from, const char *to)
{
	if (fsync(fd) != 0 || rename(from, to) != 0)
		return cannot(call, to);
	return STET_OK;
}

enum stet_status
command_file(struct stet_call *call, const char *path,
    enum stet_status (*fn)(struct stet_call *, void *arg, int fd), void *arg)
{
	char *beside = stet_printf(call, "%s.XXXXXX", path);
	int fd = mkostemp(beside, O_CLOEXEC);
	enum stet_status status;

	if (fd == -1)
		return cannot(call, path);
	status = fn(call, arg, fd);
	if (status == STET_OK)
		status = settle(call, fd, beside, path);
	close(fd);
	if (status != STET_OK)
		(void)unlink(beside);
	return status;
}

/* ---- options ---- */

static bool
take_map(struct order *o, const char *text)
{
	const char *sign = strchr(text, '=');
	json_t *type = sign != NULL && sign[1] != '\0' ? json_string(sign + 1) : NULL;

	if (type == NULL || sign == text) {
		json_decref(type);
		return false;
	}
	(void)json_object_setn_new(o->types, text, (size_t)(sign - text), type);
	return true;
}

static bool
take_status(struct order *o, const char *text)
{
	static const char *const names[] = { "published", "draft", "scheduled", "trash" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], text) == 0) {
			(void)json_object_set_new(o->statuses, text, json_true());
			return true;
		}
	return false;
}

static bool
parse(struct order *o, int argc, char **argv)
{
	static const struct option options[] = { { "collection", required_argument, NULL, 'c' },
		{ "map", required_argument, NULL, 'm' }, { "status", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 } };
	bool good = true;
	int c;

	optind = 0;
	while (good && (c = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (c) {
		case 'c':
			(void)json_object_set_new(o->collections, optarg, json_true());
			break;
		case 'm':
			good = take_map(o, optarg);
			break;
		case 's':
			good = take_status(o, optarg);
			break;
		default:
			good = false;
		}
	if (optind < argc && strcmp(argv[optind], "-") != 0)
		o->path = argv[optind];
	return good && optind + 1 >= argc;
}

/* Fails if an option names a collection that does not exist. */
static enum stet_status
check_names(struct stet_call *call, const struct order *o)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	const char *name;
	json_t *value;

	json_object_foreach(o->collections, name, value)
	    STET_TRY(schema->collection(call, name, &c));
	json_object_foreach(o->types, name, value) STET_TRY(schema->collection(call, name, &c));
	return STET_OK;
}

static void
show(const struct exported *done)
{
	fprintf(stderr,
	    "items\t%" PRId64 "\nattachments\t%" PRId64 "\ncomments\t%" PRId64 "\nterms\t%" PRId64
	    "\nauthors\t%" PRId64 "\nsections\t%" PRId64 "\nmenus\t%" PRId64 "\n",
	    done->items, done->attachments, done->comments, done->terms, done->authors,
	    done->sections, done->menus);
	if (done->kept > 0)
		fprintf(stderr, "blocks\t%" PRId64 " that only stet knows\n", done->kept);
	if (done->changed > 0)
		fprintf(stderr, "blocks\t%" PRId64 " without all that they say\n", done->changed);
}

int
command_export_wxr(struct stet_call *call, int argc, char **argv)
{
	struct order *o = stet_alloc(call, sizeof(*o));
	enum stet_status status;

	o->collections = stet_json_own(call, json_object());
	o->types = stet_json_own(call, json_object());
	o->statuses = stet_json_own(call, json_object());
	if (!parse(o, argc, argv)) {
		fputs(USAGE, stderr);
		return 2;
	}
	o->x.collections = o->collections;
	o->x.types = o->types;
	o->x.statuses = o->statuses;
	status = check_names(call, o);
	if (status == STET_OK)
		status = o->path != NULL ? command_file(call, o->path, write_to, &o->x)
					 : write_to(call, &o->x, STDOUT_FILENO);
	if (status != STET_OK)
		return EXIT_FAILURE;
	show(&o->x.done);
	return EXIT_SUCCESS;
}
