/* uploads.h - files that tests of the media library upload. */
#ifndef T_HTTP_UPLOADS_H
#define T_HTTP_UPLOADS_H

#include "remote.h"

/* A daemon for a group of tests, with tokens of an administrator and an author. */
extern struct library {
	struct daemon *daemon;
	struct remote by_admin;
	char *admin, *author;
} library;
int library_start(void **state), library_stop(void **state);

/* A PNG of one pixel; bytes added to its end make it another file. */
extern const unsigned char pixel[];
#define PIXEL_SIZE ((size_t)70)

struct file {
	const char *name, *type;
	const void *bytes;
	size_t len;
	const char *more; /* parts of the form before the file; NULL: none */
	const char *path; /* path of the route; NULL: /media */
};
/* Writes a PNG with these bytes added; returns its length. */
size_t png(char out[100], const char *tail);
/* Sends a form with a file, and reads the response. */
void say_form(struct client *, const char *token, const struct file *);
void upload(struct daemon *, struct answer *, const char *token, const struct file *);
/* Uploads such a PNG as a new item; returns its id in a static buffer. */
const char *make(struct daemon *, const char *token, const char *tail);

/* A member of the item in a response, as text; or "". */
json_t *item_of(const struct answer *);
const char *text_of(const json_t *, const char *key);

#endif
