/* uploads.c - files that tests of the media library upload. */
#include "uploads.h"
#include <stdio.h>
#include <stdlib.h>

struct library library;

int
library_start(void **state)
{
	(void)state;
	library.daemon = remote_new(NULL, NULL);
	library.admin = remote_token(library.daemon, "admin", "admin");
	library.author = remote_token(library.daemon, "author", "media:read,media:write");
	daemon_run(library.daemon, 0);
	remote_open(&library.by_admin, library.daemon, library.admin);
	return 0;
}

int
library_stop(void **state)
{
	(void)state;
	remote_close(&library.by_admin);
	free(library.admin);
	free(library.author);
	daemon_stop(library.daemon);
	return 0;
}

const unsigned char pixel[] = { 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00,
	0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06,
	0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4, 0x89, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x44, 0x41, 0x54,
	0x78, 0xda, 0x63, 0xd0, 0x08, 0xa8, 0xf8, 0x0f, 0x00, 0x03, 0x84, 0x01, 0xf0, 0xb6, 0x34,
	0x04, 0x4b, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82 };

size_t
png(char out[100], const char *tail)
{
	memcpy(out, pixel, sizeof(pixel));
	memcpy(out + sizeof(pixel), tail, strlen(tail));
	return sizeof(pixel) + strlen(tail);
}

void
say_form(struct client *c, const char *token, const struct file *f)
{
	char head[1000];
	const char *tail = "\r\n--xx--\r\n", *more = f->more != NULL ? f->more : "";
	int len = snprintf(head, sizeof(head),
	    "--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n"
	    "Content-Type: %s\r\n\r\n",
	    f->name, f->type);

	client_say(c,
	    "POST " API "%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
	    "X-CMS-Request: 1\r\nContent-Type: multipart/form-data; boundary=xx\r\n"
	    "Content-Length: %zu\r\n\r\n%s",
	    f->path != NULL ? f->path : "/media", token,
	    strlen(more) + (size_t)len + f->len + strlen(tail), more);
	client_send(c, head, (size_t)len);
	client_send(c, f->bytes, f->len);
	client_say(c, "%s", tail);
}

void
upload(struct daemon *d, struct answer *a, const char *token, const struct file *f)
{
	struct client c;

	client_open(&c, d, false);
	say_form(&c, token, f);
	client_answer(&c, a, false);
	client_close(&c);
}

json_t *
item_of(const struct answer *a)
{
	return json_object_get(json_object_get(a->json, "data"), "item");
}

const char *
text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text != NULL ? text : "";
}

const char *
make(struct daemon *d, const char *token, const char *tail)
{
	static char id[27];
	char bytes[100];
	struct answer a;

	upload(d, &a, token, &(struct file){ "a.png", "image/png", bytes, png(bytes, tail), NULL });
	assert_int_equal(a.status, 201);
	(void)snprintf(id, sizeof(id), "%s", text_of(item_of(&a), "id"));
	answer_free(&a);
	return id;
}
