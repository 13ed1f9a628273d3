/* admin.h - the admin pages as files of the installation. */
#ifndef ADMIN_H
#define ADMIN_H

#include <stet/module.h>
#include <stet/words.h>

/* How a file is coded: as it is, or as its sibling of this name. */
struct coding {
	const char *name; /* in headers; NULL: as it is */
	const char *ending; /* of the sibling */
};

/* The codings that a browser accepts (Accept-Encoding, may be NULL), the best first; ends with the
 * one whose name is NULL. `out` has room for CODINGS. */
#define CODINGS 3
void codings_accepted(const char *accept, struct coding out[CODINGS]);

/* The media type of a file by its ending; NULL: it has none that is served. */
const char *type_of_file(const char *name);

/* Files of plugins' pages: FRAME_FILES/PLUGIN/FILE. */
#define FRAME_FILES "/_cms/admin/plugin-files"
enum stet_status frame_file(struct stet_call *);

/* Opens a file of the bundle for reading; *fd is -1 if there is none. `dir` is "" or "assets/",
 * `name` comes from a client. */
STET_MUST enum stet_status bundle_open(
    struct stet_call *, const char *dir, const char *name, const char *ending, int *fd);

/* ---- views.c ---- */

#define VIEWS_SHARE "schema:manage" /* who saves views of everybody */
extern const struct stet_member views_in[], views_out[], view_in[], view_out[], view_by_id[],
    view_deleted_out[];
enum stet_status view_list(struct stet_call *);
enum stet_status view_save(struct stet_call *);
enum stet_status view_delete(struct stet_call *);
/* The hook schema_changing. */
enum stet_status view_follow_schema(struct stet_call *, struct stet_tx *, const char *change,
    const char *collection, const char *field);

/* ---- policy.c ---- */

/* The Content-Security-Policy of the pages, by the configuration and the settings. */
STET_MUST enum stet_status policy_make(struct stet_call *, const char **out);

/* words.c: the texts of the page that stands in for the admin pages. */
extern const struct stet_words admin_languages[];

#endif
