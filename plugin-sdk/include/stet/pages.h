/*
 * pages.h - pages, field widgets and blocks that a module adds to the admin pages (the module
 * admin).
 *
 * Both are HTML files of the module. The admin pages show them in a sandboxed iframe, which has an
 * origin of its own: its scripts can neither read the admin pages nor send requests to the API.
 * They exchange messages with the page around them; the book has the protocol ("Pages and field
 * widgets"), and pages/stet.js of the SDK speaks it.
 *
 * The files of plugins/hello.so lie in the directory plugins/hello.pages. They are served to
 * everybody who knows their address, without credentials: they hold no secrets. A file is named
 * "FILE" or "FOLDER/FILE"; names are made of letters, digits, ".", "_" and "-", and begin with none
 * of the last three. Types are known by the ending: .html .js .mjs .css .json .svg .png .jpg .jpeg
 * .webp .gif .avif .woff2. As with the module itself, a file or directory that others than root
 * and the daemon's user may write is not used; nor is a symbolic link.
 */
#ifndef STET_PAGES_H
#define STET_PAGES_H

#include <stet/call.h>

#define STET_PAGE_FILE_MAX 4194304 /* bytes: a larger file is not served */

/* A page. The menu links to it; its address is /_cms/admin/plugins/<module>/<name>. */
struct stet_admin_page {
	const char *name; /* a to z, 0 to 9, "-"; at most 32 bytes, unique in the table */
	const char *title; /* in the menu; at most 80 bytes */
	const char *file; /* "index.html" */
	const char *permission; /* needed to see the page; NULL: everybody who is signed in. The API
	checks the page's requests itself */
	/* Names of ops that the page may request besides the routes below /plugins/<module>,
	 * NULL-terminated. Each is an op of an enabled module with a route in the API, and its
	 * request and reply are JSON. They run with the rights of the person. NULL: none. */
	const char *const *ops;
	/* New fields go here, and nowhere else. */
};

/* A control for the value of a field. It is used for fields whose `widget` is "<module>:<name>" and
 * whose type is one of `types`. The value is validated like any other. With `block`, it is (also) a
 * control for blocks of rich text. */
struct stet_field_widget {
	const char *name; /* as that of a page */
	const char *label; /* for people who define fields; at most 80 bytes */
	const char *file;
	const char *const *types; /* names of field types, NULL-terminated; at least one. With
	`block` NULL is allowed: it is for no field */
	const char *const *ops; /* as those of a page */
	/* The type of blocks of rich text that it edits ("quiz"): at most 64 letters and digits, a
	 * letter first, unique in the table, and no type that the editor of the admin pages edits
	 * itself. `label` names it in the menu of blocks. The value is the block's object without
	 * `_type` and `_key`. NULL: it is for fields only. */
	const char *block;
	/* New fields go here, and nowhere else. */
};

/* For the module admin. Opens a file of this module's directory for reading (stet_reply_file);
 * `path` may come from a client. Fails with NOT_FOUND if there is no such file, if the module is
 * not in use on this site or has neither pages nor widgets, and if the file is not to be used (the
 * log says why). */
STET_API STET_MUST enum stet_status stet_page_file(
    struct stet_call *, const char *module, const char *path, int *fd);
/* Returns true for the name of such a file. */
STET_API bool stet_page_file_named(const char *path);

#endif
