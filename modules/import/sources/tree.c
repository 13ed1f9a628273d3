/* tree.c - documents of a source: files of a directory, of a zip file, or single ones. */
#include "read/form.h"
#include "read/source.h"
#include "read/text.h"
#include "sources/lines.h"
#include "sources/sources.h"
#include "sources/whole.h"
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX 32

struct walk {
	struct stet_source *source;
	document_fn *fn; /* for whole documents; or NULL */
	stream_fn *stream; /* for documents of any size; or NULL */
	line_fn *line; /* for lines; or NULL */
	const char *list; /* a member that has lines; or NULL */
	object_fn *object;
	text_fn *some; /* the same, with arg, for the documents of `only`; or NULL */
	const json_t *only; /* {name: any}; NULL: all */
	name_fn *named; /* takes names alone; nothing is read */
	void *arg;
	uint64_t left; /* bytes that may still come */
	struct source *file;
	const char *name;
	char *text; /* DOCUMENT_MAX + 1 bytes */
};

/* ---- one document ---- */

/* Reads a document. *len: DOCUMENT_MAX + 1 if it is too long. */
static enum stet_status
read_text(struct walk *w, size_t *len)
{
	size_t got, n = 0;

	for (;;) {
		STET_TRY(source_read(w->file, w->text + n, DOCUMENT_MAX + 1 - n, &got));
		n += got;
		if (got == 0 || n > DOCUMENT_MAX)
			break;
	}
	*len = n;
	while (n > DOCUMENT_MAX && got > 0) /* skip the rest */
		STET_TRY(source_read(w->file, w->text, DOCUMENT_MAX, &got));
	w->text[*len <= DOCUMENT_MAX ? *len : 0] = '\0';
	return STET_OK;
}

static enum stet_status
take(struct stet_call *call, void *arg)
{
	struct walk *w = arg;
	const char *text = w->text;
	size_t len;

	STET_TRY(read_text(w, &len));
	if (len > DOCUMENT_MAX)
		return source_left(w->source, "document", w->name, "It is longer than 8 MiB");
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		len -= 3;
	}
	if (strlen(text) != len || stet_utf8_length(text) < 0)
		return source_left(w->source, "document", w->name, "It is not UTF-8");
	(void)call;
	return w->some != NULL ? w->some(w->arg, w->name, text, len)
			       : w->fn(w->source, w->name, text, len);
}

static enum stet_status
take_document(struct walk *w)
{
	if (w->stream != NULL)
		return w->stream(w->arg, w->name, w->file);
	if (w->line != NULL)
		return lines_read(w->source, w->file, w->name, w->list, w->text, w->line, w->arg);
	return w->object != NULL ? whole_read(w->source, w->file, w->name, w->object, w->arg)
				 : stet_scope(w->source->call, take, w);
}

/* ---- files ---- */

static enum stet_status
read_documents(struct walk *w, const char *path, const char *name, const char *ends)
{
	enum stet_status status =
	    source_open_some(w->source->call, path, ends, w->only, w->left, &w->file);
	const char *inside = NULL;

	while (status == STET_OK) {
		status = source_next(w->file, &inside);
		if (status != STET_OK || inside == NULL)
			break;
		w->name = *inside != '\0' ? inside : name;
		if (w->only == NULL || json_object_get(w->only, w->name) != NULL)
			status = take_document(w);
	}
	w->left -= source_bytes(w->file) < w->left ? source_bytes(w->file) : w->left;
	source_close(w->file);
	return status;
}

static int
by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Hidden files, and the directory of installed packages, are not content of the site. */
static bool
is_beside(const FTSENT *e)
{
	return e->fts_level > 0 &&
	       (e->fts_name[0] == '.' || strcmp(e->fts_name, "node_modules") == 0);
}

static enum stet_status
read_entry(struct walk *w, FTS *tree, FTSENT *e, const char *ends, size_t root)
{
	const char *name = e->fts_path + root;

	while (*name == '/')
		name++;
	if (e->fts_info == FTS_D && (is_beside(e) || e->fts_level > DEPTH_MAX))
		(void)fts_set(tree, e, FTS_SKIP);
	else if (w->named != NULL) {
		if (e->fts_info == FTS_F && !is_beside(e))
			w->named(w->arg, name);
	} else if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR)
		return source_notice(w->source, name, true, strerror(e->fts_errno));
	else if (e->fts_info == FTS_F && !is_beside(e) && source_ends(ends, e->fts_name) &&
		 (w->only == NULL || json_object_get(w->only, name) != NULL))
		return read_documents(w, e->fts_accpath, name, ends);
	return STET_OK;
}

static enum stet_status
read_directory(struct walk *w, const char *path, const char *ends)
{
	char *paths[] = { (char *)(uintptr_t)path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
	enum stet_status status = STET_OK;
	FTSENT *e;

	if (tree == NULL)
		return stet_fault(w->source->call, "cannot read a directory: %s", strerror(errno));
	while (status == STET_OK && (e = fts_read(tree)) != NULL)
		status = read_entry(w, tree, e, ends, strlen(path));
	(void)fts_close(tree);
	return status;
}

static enum stet_status
walk_all(struct walk *w, const char *ends)
{
	struct stet_source *source = w->source;
	enum stet_status status = STET_OK;
	struct stat st;

	w->left = (uint64_t)import_most(source->call);
	w->text = malloc(DOCUMENT_MAX + 2);
	if (w->text == NULL)
		stet_out_of_memory();
	for (size_t i = 0; i < source->count && status == STET_OK; i++) {
		const char *path = source->path[i];

		if (stat(path, &st) != 0)
			status = stet_fail(source->call, STET_NOT_FOUND, "file",
			    "cannot read %.500s: %s", path, strerror(errno));
		else if (S_ISDIR(st.st_mode))
			status = read_directory(w, path, ends);
		else if (w->named == NULL)
			status = read_documents(w, path,
			    w->fn != NULL || w->some != NULL || source->count > 1 ? text_base(path)
										  : "",
			    ends);
		else if (!source_names(path, w->named, w->arg))
			w->named(w->arg, text_base(path));
	}
	free(w->text);
	return status;
}

enum stet_status
tree_each(struct stet_source *source, const char *ends, document_fn *fn)
{
	struct walk w = { .source = source, .fn = fn };

	return walk_all(&w, ends);
}

enum stet_status
tree_some(struct stet_source *source, const char *ends, const json_t *names, text_fn *fn, void *arg)
{
	struct walk w = { .source = source, .some = fn, .only = names, .arg = arg };

	return walk_all(&w, ends);
}

enum stet_status
tree_streams(struct stet_source *source, const char *ends, stream_fn *fn, void *arg)
{
	struct walk w = { .source = source, .stream = fn, .arg = arg };

	return walk_all(&w, ends);
}

enum stet_status
tree_names(struct stet_source *source, name_fn *fn, void *arg)
{
	struct walk w = { .source = source, .named = fn, .arg = arg };

	return walk_all(&w, "");
}

enum stet_status
tree_lines(struct stet_source *source, const char *ends, line_fn *fn, void *arg)
{
	struct walk w = { .source = source, .line = fn, .arg = arg };

	return walk_all(&w, ends);
}

enum stet_status
tree_answers(struct stet_source *source, const char *ends, const char *list, line_fn *fn, void *arg)
{
	struct walk w = { .source = source, .line = fn, .list = list, .arg = arg };

	return walk_all(&w, ends);
}

enum stet_status
tree_objects(struct stet_source *source, const char *ends, object_fn *fn, void *arg)
{
	struct walk w = { .source = source, .object = fn, .arg = arg };

	return walk_all(&w, ends);
}
