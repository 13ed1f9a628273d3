/*
 * s3xml.h - XML responses of an S3 service: an error, a page of a listing, the id of a multipart
 * upload. The text comes from another machine: its size, depth and count are limited, it may have
 * no document type (so no entities of its own), and unknown elements are ignored.
 */
#ifndef MODULES_FILES_S3_S3XML_H
#define MODULES_FILES_S3_S3XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define S3XML_MAX ((size_t)4 << 20) /* bytes of a response */
#define S3XML_ITEMS 1000 /* items requested for a page */
#define S3XML_TEXT 1536 /* bytes of an element's text; longer ones are cut */

struct s3_item { /* an object, or an unfinished multipart upload */
	char *key, *upload; /* upload: NULL for an object */
	int64_t time; /* last change, or start of the upload, in seconds since the epoch */
};
struct s3_xml {
	char root[64]; /* name of the outermost element */
	char code[64], message[256]; /* of an error */
	char upload[S3XML_TEXT]; /* id of a new multipart upload */
	char next_key[S3XML_TEXT], next_upload[S3XML_TEXT]; /* where the next page begins */
	bool truncated; /* another page follows */
	struct s3_item *item;
	size_t count;
};

/* Parses a response. Returns false if it is not well-formed or exceeds a limit. The caller frees
 * *out in both cases (s3xml_free). */
bool s3xml_read(const char *text, size_t len, struct s3_xml *out);
void s3xml_free(struct s3_xml *);

#endif
