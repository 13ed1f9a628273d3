/* exports.h - export files for tests of the import: read and counted, packed, made hostile. */
#ifndef T_MODULE_EXPORTS_H
#define T_MODULE_EXPORTS_H

#include "../../../modules/import/read/wxr.h"

/* What the reader told. */
struct told {
	enum stet_status status;
	char error[600], notice[600]; /* the error; the last notice */
	int64_t notice_line;
	int sites, authors, categories, tags, terms, items, metas, comments, comment_metas, labels,
	    notices, skipped, repaired, term_metas;
	size_t content, excerpts, values, said; /* bytes: of content, of meta, of comments */
	struct wxr_totals totals;
	char title[200], type[80], text[2000]; /* of the site; of the last item; its content */
	char slug[200], link[200], date[40], author[80], value[200]; /* value: of its last meta */
	int64_t id, parent, line;
	double seconds; /* of this thread's processor time */
};

#define EXPORT_HEAD                                                                     \
	"<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n"                                 \
	"<rss version=\"2.0\" xmlns:wp=\"http://wordpress.org/export/1.2/\""            \
	" xmlns:excerpt=\"http://wordpress.org/export/1.2/excerpt/\""                   \
	" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\""                   \
	" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<channel><title>Site</title>" \
	"<wp:wxr_version>1.2</wp:wxr_version>\n"
#define EXPORT_END "</channel></rss>\n"
/* An item of this content, without its end. */
#define EXPORT_ITEM(content)                                                                \
	"<item><title>T</title><wp:post_id>7</wp:post_id><wp:post_type>post</wp:post_type>" \
	"<content:encoded>" content "</content:encoded>"

/* A file of data/wxr; NULL where they are absent. Static buffer. */
const char *export_path(const char *name);
/* The bytes of a file; to be freed. */
char *export_load(const char *path, size_t *len);
/* A file in memory, to be written with write() and closed; its path. */
int export_file(char path[64]);
void export_write(int fd, const char *, size_t);
/* Read a file; read bytes as one. At most `most` bytes of XML. */
void export_read(const char *path, uint64_t most, struct told *);
void export_read_bytes(const char *, size_t, struct told *);
void export_read_text(const char *, struct told *);
/* The bytes packed by gzip; to be freed. */
char *export_gzip(const char *, size_t, size_t *packed);

#endif
