/* decoders.c - kills the processes that decode images: at most one response is lost. */
#include "uploads.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#define SIDE 7000 /* pixels: it takes a while to decode */
#define CROWD 16 /* clients: more than the slow lane has threads */

/* Returns the first child process that this thread of a process has started; 0 if there is none. */
static pid_t
child_of_thread(pid_t process, const char *thread)
{
	char path[300];
	FILE *f;
	int child = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%s/children", process, thread);
	f = fopen(path, "r");
	if (f == NULL || fscanf(f, "%d", &child) != 1)
		child = 0;
	if (f != NULL)
		fclose(f);
	return child;
}

static pid_t
child_of(pid_t process)
{
	char path[60];
	const struct dirent *e;
	pid_t child = 0;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", process);
	dir = opendir(path);
	assert_non_null(dir);
	while (child == 0 && (e = readdir(dir)) != NULL)
		if (e->d_name[0] != '.')
			child = child_of_thread(process, e->d_name);
	closedir(dir);
	return child;
}

/* ---- a large picture ---- */

static unsigned char *
put_number(unsigned char *at, uint32_t n)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		*at++ = (unsigned char)(n >> shift);
	return at;
}

static unsigned char *
put_chunk(unsigned char *at, const char *type, const void *bytes, size_t len)
{
	unsigned char *begun = at + 4;

	at = put_number(at, (uint32_t)len);
	memcpy(at, type, 4);
	if (len > 0)
		memcpy(at + 4, bytes, len);
	return put_number(at + 4 + len, (uint32_t)crc32(0, begun, (uInt)(len + 4)));
}

/* Returns a grey PNG; to be freed. */
static char *
large_png(unsigned char shade, size_t *len)
{
	const size_t raw = (size_t)SIDE * (SIDE + 1);
	uLongf packed_len = compressBound(raw);
	unsigned char *rows = malloc(raw), *packed = malloc(packed_len), head[13] = { 0 };
	unsigned char *png, *at;

	assert_non_null(rows);
	assert_non_null(packed);
	memset(rows, shade, raw);
	for (size_t y = 0; y < SIDE; y++)
		rows[y * (SIDE + 1)] = 0; /* filter type of the row: none */
	assert_int_equal(compress2(packed, &packed_len, rows, raw, 1), Z_OK);
	free(rows);
	(void)put_number(put_number(head, SIDE), SIDE);
	head[8] = 8; /* bits */
	png = malloc(packed_len + 100);
	assert_non_null(png);
	memcpy(png, "\211PNG\r\n\032\n", 8);
	at = put_chunk(png + 8, "IHDR", head, sizeof(head));
	at = put_chunk(at, "IDAT", packed, packed_len);
	at = put_chunk(at, "IEND", NULL, 0);
	*len = (size_t)(at - png);
	free(packed);
	return (char *)png;
}

/* Uploads a picture. Returns its storage key; to be freed. */
static char *
large_item(unsigned char shade)
{
	struct answer a;
	size_t len;
	char *png = large_png(shade, &len), *key;

	upload(library.daemon, &a, library.admin,
	    &(struct file){ "large.png", "image/png", png, len, NULL });
	assert_int_equal(a.status, 201);
	assert_int_equal(json_integer_value(json_object_get(item_of(&a), "width")), SIDE);
	key = strdup(text_of(item_of(&a), "storageKey"));
	answer_free(&a);
	free(png);
	return key;
}

static int
status_of(const char *key, char code[64])
{
	struct answer a;
	char path[400];
	int status;

	(void)snprintf(path, sizeof(path), API "/media/file/%s?preset=small", key);
	ask(library.daemon, &a, "GET", path);
	status = a.status;
	(void)snprintf(code, 64, "%s", status != 200 ? answer_code(&a) : "");
	answer_free(&a);
	return status;
}

/* ---- tests ---- */

static void
a_killed_decoder_costs_one_answer(void **state)
{
	char *key = large_item(1), code[64];
	pid_t program = child_of(library.daemon->pid), worker = 0;
	struct client c;
	struct answer a;

	(void)state;
	assert_true(program > 0);
	/* The decoder of the upload may still be running. */
	for (int i = 0; child_of(program) > 0 && i < 2000000; i++)
		continue;
	client_open(&c, library.daemon, false);
	client_say(&c, "GET " API "/media/file/%s?preset=small HTTP/1.1\r\nHost: x\r\n\r\n", key);
	for (int i = 0; worker == 0 && i < 2000000; i++)
		worker = child_of(program);
	assert_true(worker > 0);
	assert_int_equal(kill(worker, SIGKILL), 0);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 422);
	assert_string_equal(answer_code(&a), "IMAGE_UNREADABLE");
	answer_free(&a);
	client_close(&c);
	assert_int_equal(status_of(key, code), 200);
	assert_int_equal(child_of(library.daemon->pid), program);
	free(key);
}

/* The program that starts decoders is started again, for the request that finds it dead. */
static void
a_killed_program_costs_no_answer(void **state)
{
	char *key = large_item(2), code[64];
	pid_t program = child_of(library.daemon->pid);

	(void)state;
	assert_true(program > 0);
	assert_int_equal(kill(program, SIGKILL), 0);
	assert_int_equal(status_of(key, code), 200);
	assert_int_not_equal(child_of(library.daemon->pid), program);
	free(key);
}

/* The program is killed while it decodes. */
static void
a_program_killed_at_work_costs_no_answer(void **state)
{
	char *key = large_item(3), code[64];
	pid_t program = child_of(library.daemon->pid);
	struct client c;
	struct answer a;
	bool busy = false;

	(void)state;
	client_open(&c, library.daemon, false);
	client_say(&c, "GET " API "/media/file/%s?preset=small HTTP/1.1\r\nHost: x\r\n\r\n", key);
	for (int i = 0; !busy && i < 2000000; i++)
		busy = child_of(program) > 0;
	assert_true(busy);
	assert_int_equal(kill(program, SIGKILL), 0);
	client_answer(&c, &a, false);
	assert_true(a.status == 200 || a.status == 422);
	answer_free(&a);
	client_close(&c);
	assert_int_equal(status_of(key, code), 200);
	free(key);
}

/* Here all threads of the slow lane wait for a copy that is not made. */
static void
a_kept_copy_waits_for_no_decoder(void **state)
{
	char *kept = large_item(4), *asked = large_item(5), code[64];
	struct client c[CROWD];
	pid_t program;

	(void)state;
	assert_int_equal(status_of(kept, code), 200);
	program = child_of(library.daemon->pid);
	assert_int_equal(kill(program, SIGSTOP), 0);
	for (int i = 0; i < CROWD; i++) {
		client_open(&c[i], library.daemon, false);
		client_say(&c[i],
		    "GET " API "/media/file/%s?preset=small HTTP/1.1\r\nHost: x\r\n\r\n", asked);
	}
	assert_int_equal(status_of(kept, code), 200);
	assert_int_equal(kill(program, SIGCONT), 0);
	for (int i = 0; i < CROWD; i++) {
		struct answer a;

		client_answer(&c[i], &a, false);
		assert_int_equal(a.status, 200);
		answer_free(&a);
		client_close(&c[i]);
	}
	free(kept);
	free(asked);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_killed_decoder_costs_one_answer),
		cmocka_unit_test(a_killed_program_costs_no_answer),
		cmocka_unit_test(a_program_killed_at_work_costs_no_answer),
		cmocka_unit_test(a_kept_copy_waits_for_no_decoder),
	};

	return cmocka_run_group_tests(tests, library_start, library_stop);
}
