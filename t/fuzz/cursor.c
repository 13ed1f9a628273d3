/* cursor.c - cursors from clients: each is one that the server could have made, or is refused.
 * Cursors that the server makes are accepted. */
#include "call/call.h"
#include "fuzz.h"
#include <string.h>

#define LISTING "content:posts:title"

static void
read_it(struct stet_call *call, const char *text)
{
	const json_t *key = NULL;
	const char *id = NULL;

	if (stet_cursor_read(call, text, LISTING, &key, &id) != STET_OK) {
		must(call->error.status == STET_INVALID_CURSOR);
		return;
	}
	must(strcmp(stet_cursor_make(call, LISTING, key, id), text) == 0);
}

static json_t *
make_key(uint8_t kind, const uint8_t *data, size_t size)
{
	int64_t i = 0;
	double r = 0;

	memcpy(&i, data, size < sizeof(i) ? size : sizeof(i));
	memcpy(&r, data, size < sizeof(r) ? size : sizeof(r));
	if (kind % 4 == 0)
		return json_integer(i);
	if (kind % 4 == 1)
		return json_real(r);
	if (kind % 4 == 2)
		return json_null();
	return json_stringn((const char *)data, size);
}

static void
make_one(struct stet_call *call, uint8_t kind, const uint8_t *data, size_t size)
{
	json_t *key = stet_json_own(call, make_key(kind, data, size));
	const json_t *back;
	const char *id;
	char *cursor;

	if (key == NULL)
		return;
	cursor = stet_cursor_make(call, LISTING, key, "01ARZ3NDEKTSV4RRFFQ69G5FAV");
	must(strlen(cursor) <= 2048);
	if (json_is_string(key) && strlen(json_string_value(key)) != json_string_length(key))
		return;
	must(stet_cursor_read(call, cursor, LISTING, &back, &id) == STET_OK);
	if (!json_is_string(key) || size <= 1024)
		must(json_equal(key, (json_t *)(uintptr_t)back));
	/* A cursor of which any character is changed is refused. */
	cursor[data[0] % strlen(cursor)] ^= 1;
	must(stet_cursor_read(call, cursor, LISTING, &back, &id) == STET_INVALID_CURSOR);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stet_call *call = call_new();

	read_it(call, stet_strndup(call, (const char *)data, size));
	if (size > 1)
		make_one(call, data[0], data + 1, size - 1);
	call_free(call);
	return 0;
}
