/* exports.h - export files for tests of the import: reads and counts them, compresses them, makes
 * malicious ones. */
#ifndef T_MODULE_EXPORTS_H
#define T_MODULE_EXPORTS_H

#include "../../../modules/import/read/wxr.h"

/* Results of reading an export. */
struct told {
	enum stet_status status;
	char error[600], notice[600]; /* the error; the last notice */
	int64_t notice_line;
	int sites, authors, categories, tags, terms, items, metas, comments, comment_metas, labels,
	    notices, skipped, repaired, term_metas;
	/* total bytes of content, meta values and comments */
	size_t content, excerpts, values, said;
	struct wxr_totals totals;
	/* title of the site; type and content of the last item */
	char title[200], type[80], text[2000];
	/* of the last item; value: its last meta value */
	char slug[200], link[200], date[40], author[80], value[200];
	int64_t id, parent, line;
	double seconds; /* processor time of this thread */
};

#define EXPORT_HEAD                                                                     \
	"<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n"                                 \
	"<rss version=\"2.0\" xmlns:wp=\"http://wordpress.org/export/1.2/\""            \
	" xmlns:excerpt=\"http://wordpress.org/export/1.2/excerpt/\""                   \
	" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\""                   \
	" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<channel><title>Site</title>" \
	"<wp:wxr_version>1.2</wp:wxr_version>\n"
#define EXPORT_END "</channel></rss>\n"
/* An item with this content, without its closing tag. */
#define EXPORT_ITEM(content)                                                                \
	"<item><title>T</title><wp:post_id>7</wp:post_id><wp:post_type>post</wp:post_type>" \
	"<content:encoded>" content "</content:encoded>"

/* Returns the path of a file in data/wxr, or NULL if it is not readable. Static buffer. */
const char *export_path(const char *name);
/* Reads a file; the caller frees the bytes. */
char *export_load(const char *path, size_t *len);
/* Opens a file in memory, which the caller writes and closes; `path` names it. */
int export_file(char path[64]);
void export_write(int fd, const char *, size_t);
/* Read an export from a file or from bytes: at most `most` bytes of XML. */
void export_read(const char *path, uint64_t most, struct told *);
void export_read_bytes(const char *, size_t, struct told *);
void export_read_text(const char *, struct told *);
/* Compresses the bytes with gzip; the caller frees them. */
char *export_gzip(const char *, size_t, size_t *packed);

#endif
