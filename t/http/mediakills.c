/*
 * mediakills.c - uploads to a daemon that is killed (SIGKILL) at any time. Each acknowledged upload
 * is stored byte for byte, or deleted if its deletion was acknowledged; no row is without its file,
 * and files without a row are removed. With IN_BUCKET the files are in a bucket that also fails.
 *
 * MEDIA_KILLS is the number of kills (10; `make long`: 300), MEDIA_SEED chooses their times.
 */
#include "uploads.h"

#ifdef IN_BUCKET
#include "bucketsite.h"
#endif

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define AT_ONCE 4 /* uploads in a form, beside one to a target and a delete */
#define ITEMS_MAX (400 * AT_ONCE)

static struct item {
	char id[27], url[100], tail[32];
	bool gone; /* its deletion was acknowledged */
	bool asked; /* its deletion was requested, without a response yet */
} item[ITEMS_MAX];
static int items;

static struct daemon *d;
static char *token;
static unsigned short seed[3];
static int lost; /* requests without an answer */
static int refused; /* uploads */

static int
pick(int n)
{
	return (int)(nrand48(seed) % n);
}

/* ---- where the files are ---- */

#ifdef IN_BUCKET
#define LIFE_US 20000 /* longest life of the daemon; also the longest request to the bucket */

static void
place_open(void)
{
	bucket_open(&bucket);
	bucketsite_write(d, "s3", "");
}

static void
place_close(void)
{
	bucket_close(&bucket);
}

/* The next requests to the bucket fail, some of them after they have taken effect. */
static void
place_fail(void)
{
	static const enum bucket_fault fault[] = { BUCKET_FINE, BUCKET_LOSES, BUCKET_ANSWERS,
		BUCKET_LOSES };
	static const char *const method[] = { "PUT", "HEAD", "DELETE", NULL };

	bucket_fail(&bucket, fault[pick(4)], 1 + pick(30), method[pick(4)], 503, "");
}

static void
place_mend(void)
{
	bucket_fail(&bucket, BUCKET_FINE, 0, NULL, 0, NULL);
	bucketsite_clear_cache(d);
}

/* Returns the number of files, and makes all of them old, so that the sweep may delete them. */
static int
files(void)
{
	int count = 0;

	pthread_mutex_lock(&bucket.lock);
	for (size_t i = 0; i < bucket.count; i++) {
		bucket.object[i].time = 1000000000;
		count += !bucket.object[i].part && !bucket.object[i].pending;
	}
	pthread_mutex_unlock(&bucket.lock);
	return count;
}
#else
#define LIFE_US 4000

static void
place_open(void)
{
}

static void
place_close(void)
{
}

static void
place_fail(void)
{
}

static void
place_mend(void)
{
}

static int on_disk;

static int
make_old(const char *path, const struct stat *st, int what, struct FTW *ftw)
{
	static const struct timespec old[2] = { { 1000000000, 0 }, { 1000000000, 0 } };

	(void)st;
	(void)ftw;
	if (what == FTW_F) {
		on_disk++;
		assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	}
	return 0;
}

static int
files(void)
{
	on_disk = 0;
	assert_int_equal(nftw(daemon_path(d, "data/files/media"), make_old, 16, FTW_PHYS), 0);
	return on_disk;
}
#endif

/* Returns true if the bucket could not be reached, so the upload was refused and made no item. */
static bool
may_be_refused(const struct answer *a)
{
#ifdef IN_BUCKET
	return a->status == 503;
#else
	(void)a;
	return false;
#endif
}

/* ---- one life of the daemon ---- */

/* A request in flight. */
struct flight {
	struct client client;
	char tail[32];
	struct item *item; /* the item to be deleted */
};

static void
say_upload(struct flight *f, int round, int n)
{
	char bytes[100];
	size_t len;

	(void)snprintf(f->tail, sizeof(f->tail), "round %d file %d", round, n);
	len = png(bytes, f->tail);
	client_open(&f->client, d, false);
	say_form(&f->client, token, &(struct file){ "a.png", "image/png", bytes, len, NULL });
}

static void
hear_upload(struct flight *f)
{
	struct answer a;
	bool heard = client_hears(&f->client, &a, false) && a.whole;

	if (heard && may_be_refused(&a))
		refused++;
	else if (heard) {
		struct item *i = &item[items++];

		assert_int_equal(a.status, 201);
		(void)snprintf(i->id, sizeof(i->id), "%s", text_of(item_of(&a), "id"));
		(void)snprintf(i->url, sizeof(i->url), "%s", text_of(item_of(&a), "url"));
		(void)snprintf(i->tail, sizeof(i->tail), "%s", f->tail);
	} else
		lost++;
	answer_free(&a);
	client_close(&f->client);
}

/* Requests the deletion of an item. */
static void
say_delete(struct flight *f)
{
	f->item = NULL;
	if (items == 0)
		return;
	f->item = &item[pick(items)];
	if (f->item->gone || f->item->asked) {
		f->item = NULL;
		return;
	}
	f->item->asked = true;
	client_open(&f->client, d, false);
	client_say(&f->client,
	    "DELETE " API "/media/%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
	    "X-CMS-Request: 1\r\n\r\n",
	    f->item->id, token);
}

static void
hear_delete(struct flight *f)
{
	struct answer a;

	if (f->item == NULL)
		return;
	if (client_hears(&f->client, &a, false) && a.whole) {
		assert_int_equal(a.status, 200);
		f->item->gone = true;
	} else
		lost++;
	answer_free(&a);
	client_close(&f->client);
}

/* Sends the bytes to an upload target. */
static void
say_bytes(struct flight *f, const char *where, size_t len)
{
	client_open(&f->client, d, false);
	client_say(&f->client,
	    "PUT %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nX-CMS-Request: 1\r\n"
	    "Content-Type: video/mp4\r\nContent-Length: %zu\r\n\r\n%.*s",
	    where, token, len, (int)len, f->tail);
}

static bool
hear_bytes(struct flight *f)
{
	struct answer a;
	bool heard = client_hears(&f->client, &a, false) && a.whole && !may_be_refused(&a);

	if (heard)
		assert_int_equal(a.status, 200);
	answer_free(&a);
	client_close(&f->client);
	return heard;
}

/* Makes an upload target; sets its id and the path for its bytes. */
static void
make_target(size_t size, char id[27], char where[100])
{
	struct remote by;
	char body[200];
	json_t *data;

	remote_open(&by, d, token);
	(void)snprintf(body, sizeof(body),
	    "{\"filename\":\"f.mp4\",\"contentType\":\"video/mp4\",\"size\":%zu}", size);
	data = remote_must(&by, 200, "POST", body, "/media/upload-url");
	(void)snprintf(id, 27, "%s", text_of(data, "mediaId"));
	/* Uploads through the daemon and not to the bucket directly, since the daemon is to be
	 * killed. */
	(void)snprintf(where, 100, API "/media/%s/upload", id);
	json_decref(data);
	remote_close(&by);
}

/* Sends some requests at once, and kills the daemon meanwhile. The upload to the target may have
 * been acknowledged or not. */
static bool
live(int round, char target[27])
{
	struct flight up[AT_ONCE], put, away;
	struct timespec moment = { 0, pick(LIFE_US) * 1000L };
	int first = pick(AT_ONCE + 1);
	char where[100];
	bool put_heard;

	(void)snprintf(put.tail, sizeof(put.tail), "film of round %d", round);
	make_target(strlen(put.tail), target, where);
	place_fail();
	for (int i = 0; i < AT_ONCE; i++)
		say_upload(&up[i], round, i);
	say_bytes(&put, where, strlen(put.tail));
	say_delete(&away);
	for (int i = 0; i < first; i++)
		hear_upload(&up[i]);
	(void)nanosleep(&moment, NULL);
	assert_int_equal(kill(d->pid, SIGKILL), 0);
	(void)daemon_ended(d);
	for (int i = first; i < AT_ONCE; i++)
		hear_upload(&up[i]);
	hear_delete(&away);
	put_heard = hear_bytes(&put);
	return put_heard;
}

/* ---- the state after a kill ---- */

static void
check_item(struct remote *by, struct item *i)
{
	char bytes[100];
	size_t len = png(bytes, i->tail);
	struct answer a;

	remote_ask(by, &a, "GET", NULL, "%s", i->url + strlen(API));
	if (i->gone || (i->asked && a.status == 404)) {
		assert_int_equal(a.status, 404);
		i->gone = true;
	} else {
		assert_int_equal(a.status, 200);
		assert_int_equal(a.len, len);
		assert_memory_equal(a.body, bytes, len);
		i->asked = false;
	}
	answer_free(&a);
}

static void
check_all(const char *target, bool put_heard)
{
	struct remote by;
	struct answer a;

	place_mend();
	free(COMMAND(d, "media", "verify")); /* the command exits with 1 if a row has no file */
	daemon_run(d, 0);
	remote_open(&by, d, token);
	for (int i = 0; i < items; i++)
		check_item(&by, &item[i]);
	remote_ask(&by, &a, "POST", NULL, "/media/%s/confirm", target);
	if (a.status != 200 && (put_heard || strcmp(answer_code(&a), "FILE_NOT_FOUND") != 0))
		fail_msg("confirm: %d %s", a.status, a.body);
	answer_free(&a);
	remote_close(&by);
}

/* ---- the whole ---- */

static void
what_was_acknowledged_is_there(void **state)
{
	const char *kills = getenv("MEDIA_KILLS"), *chosen = getenv("MEDIA_SEED");
	int count = kills != NULL ? (int)strtol(kills, NULL, 10) : 10, before, after;
	char *said;

	(void)state;
	seed[0] = (unsigned short)(chosen != NULL ? strtol(chosen, NULL, 10) : time(NULL));
	print_message("# MEDIA_SEED=%d\n", seed[0]);
	assert_true(count > 0 && count * AT_ONCE <= ITEMS_MAX);
	daemon_run(d, 0);
	for (int round = 0; round < count; round++) {
		char target[27];
		bool put_heard = live(round, target);

		check_all(target, put_heard);
	}
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	before = files();
	free(COMMAND(d, "media", "sweep"));
	after = files();
	said = COMMAND(d, "media", "verify");
	assert_int_equal(
	    after, strtol(said, NULL, 10)); /* "40 files, …": the files that rows name */
	free(said);
	print_message(
	    "# %d kills: %d items acknowledged, %d refused, %d requests without an answer, %d files swept\n",
	    count, items, refused, lost, before - after);
	assert_true(items > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_acknowledged_is_there),
	};
	int failed;

	d = remote_new(NULL, NULL);
	token = remote_token(d, "admin", "admin");
	place_open();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(token);
	daemon_stop(d);
	place_close();
	return failed;
}
