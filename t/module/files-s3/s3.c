/*
 * s3.t - signatures against the examples that AWS publishes. Requests go to a bucket in this
 * process that checks each signature with other code, and simulates all failures of a service.
 */
#include "../modules/files-s3/s3.h"
#include "base/words.h"
#include "bucket.h"
#include "files/filesum.h"
#include "store.h"
#include <stet/file.h>

static struct bucket bucket;
static struct store *store;
static struct s3_bucket conf;
static char endpoint[64], credentials[128], said[S3_SAID];

/* ---- signatures ---- */

static struct s3_keys example = { "AKIAIOSFODNN7EXAMPLE",
	"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1" };

#define EXAMPLE_NOW INT64_C(1369353600000) /* 2013-05-24 */

static struct s3_request
example_of(const char *method, const char *path)
{
	return (struct s3_request){ .method = method,
		.scheme = "https",
		.host = "examplebucket.s3.amazonaws.com",
		.path = path,
		.sum = S3_EMPTY_SUM };
}

static void
must_sign(const struct s3_request *r, const char *signature)
{
	struct stet_buf text = { 0 };
	char date[17];

	s3sign_header(r, &example, EXAMPLE_NOW, date, &text);
	assert_string_equal(date, "20130524T000000Z");
	assert_string_equal(strstr(text.data, "Signature=") + strlen("Signature="), signature);
	stet_buf_free(&text);
}

static void
signatures_are_those_of_the_published_examples(void **state)
{
	struct s3_request get = example_of("GET", "/test.txt");
	struct s3_request put = example_of("PUT", "/test$file.text");
	struct s3_request list = example_of("GET", "/");

	(void)state;
	s3_pair_add(&get.headers, "range", "bytes=0-9");
	must_sign(&get, "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
	put.sum = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
	s3_pair_add(&put.headers, "x-amz-storage-class", "REDUCED_REDUNDANCY");
	s3_pair_add(&put.headers, "date", "Fri, 24 May 2013 00:00:00 GMT");
	must_sign(&put, "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
	s3_pair_add(&list.query, "prefix", "J");
	s3_pair_add(&list.query, "max-keys", "2");
	must_sign(&list, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

static void
a_presigned_url_is_that_of_the_published_example(void **state)
{
	const struct s3_request r = example_of("GET", "/test.txt");
	struct stet_buf url = { 0 };

	(void)state;
	s3sign_presign(&r, &example, EXAMPLE_NOW, 86400, &url);
	assert_string_equal(url.data,
	    "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
	    "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
	    "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
	    "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
	stet_buf_free(&url);
}

/* ---- a bucket ---- */

static void
write_credentials(const char *secret, mode_t mode)
{
	FILE *f;

	(void)remove(credentials);
	f = fopen(credentials, "w");
	assert_non_null(f);
	(void)fprintf(f, "%s\n%s\n", BUCKET_ID, secret);
	(void)fclose(f);
	assert_int_equal(chmod(credentials, mode), 0);
}

static int
begin(void **state)
{
	(void)state;
	store = store_new();
	bucket_open(&bucket);
	(void)snprintf(endpoint, sizeof(endpoint), "http://127.0.0.1:%d", bucket.port);
	(void)snprintf(credentials, sizeof(credentials), "%s/credentials", store->dir);
	write_credentials(BUCKET_SECRET, 0600);
	conf = (struct s3_bucket){ .endpoint = endpoint,
		.name = BUCKET_NAME,
		.region = BUCKET_REGION,
		.credentials_file = credentials,
		.timeout = 20000 };
	return 0;
}

static int
end(void **state)
{
	(void)state;
	bucket_close(&bucket);
	store_free(store);
	return 0;
}

/* Makes a file of this size; its bytes depend on their position. */
static int
file_of(size_t size)
{
	char path[160], piece[4096];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/file-XXXXXX", store->dir);
	fd = mkstemp(path);
	assert_true(fd >= 0 && unlink(path) == 0);
	for (size_t at = 0; at < size; at += sizeof(piece)) {
		size_t n = size - at < sizeof(piece) ? size - at : sizeof(piece);

		for (size_t i = 0; i < n; i++)
			piece[i] = (char)((at + i) * 31 + (at >> 12));
		assert_int_equal(write(fd, piece, n), n);
	}
	return fd;
}

static enum s3_outcome
put(const char *object, size_t size)
{
	int fd = file_of(size);
	enum s3_outcome outcome = s3_put(&conf, object, fd, said);

	close(fd);
	return outcome;
}

/* Fetches an object and compares it with the file that `put` stored. */
static void
must_get(const char *object, size_t size)
{
	int fd = file_of(0), other = file_of(size);
	char is[S3_SUM_SIZE], wanted[S3_SUM_SIZE];

	assert_int_equal(s3_get(&conf, object, fd, 0, said), S3_GOOD);
	assert_int_equal(lseek(fd, 0, SEEK_END), size);
	assert_true(filesum(fd, is) && filesum(other, wanted));
	assert_string_equal(is, wanted);
	close(fd);
	close(other);
}

static enum s3_outcome
get(const char *object)
{
	int fd = file_of(0);
	enum s3_outcome outcome = s3_get(&conf, object, fd, 0, said);

	close(fd);
	return outcome;
}

static void
objects_are_stored_measured_read_and_removed(void **state)
{
	static const size_t sizes[] = { 0, 1, 100000, S3_SINGLE };
	uint64_t size;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		assert_int_equal(put("media/a b+c", sizes[i]), S3_GOOD);
		assert_int_equal(s3_head(&conf, "media/a b+c", &size, said), S3_GOOD);
		assert_int_equal(size, sizes[i]);
		must_get("media/a b+c", sizes[i]);
		assert_int_equal(s3_delete(&conf, "media/a b+c", said), S3_GOOD);
		assert_int_equal(s3_head(&conf, "media/a b+c", &size, said), S3_MISSING);
		assert_int_equal(get("media/a b+c"), S3_MISSING);
		assert_int_equal(s3_delete(&conf, "media/a b+c", said), S3_GOOD);
	}
	assert_int_equal(bucket.refused, 0);
}

static void
the_bucket_may_stand_in_the_name_of_the_host(void **state)
{
	(void)state;
	(void)snprintf(endpoint, sizeof(endpoint), "http://localhost:%d", bucket.port);
	conf.style = S3_HOST;
	conf.prefix = "one/two";
	assert_int_equal(put("media/a", 10), S3_GOOD);
	assert_non_null(bucket_find(&bucket, "one/two/media/a"));
	must_get("media/a", 10);
	assert_true(s3_probe(&conf, said));
}

static void
large_files_go_in_parts(void **state)
{
	size_t size = 2 * S3_SINGLE + 5000;

	(void)state;
	assert_int_equal(put("media/large", size), S3_GOOD);
	assert_int_equal(bucket.puts, 3);
	assert_int_equal(bucket_pending(&bucket), 0);
	assert_int_equal(bucket_objects(&bucket), 1);
	must_get("media/large", size);
}

static void
an_upload_in_parts_that_fails_is_ended(void **state)
{
	(void)state;
	bucket_fail(&bucket, BUCKET_ANSWERS, 3, "PUT", 500, "");
	assert_int_equal(put("media/large", S3_SINGLE + 1), S3_DOWN);
	assert_int_equal(bucket_pending(&bucket), 0);
	assert_int_equal(bucket_objects(&bucket), 0);
}

/* A service may report an error with status 200, or send an unrelated body. */
static void
an_error_with_status_200_is_one(void **state)
{
	(void)state;
	bucket_fail(&bucket, BUCKET_ANSWERS, 1, "POST", 200,
	    "<Error><Code>InternalError</Code><Message>Late</Message></Error>");
	assert_int_equal(put("media/large", S3_SINGLE + 1), S3_DOWN);
	assert_non_null(strstr(said, "InternalError"));
	bucket_fail(&bucket, BUCKET_ANSWERS, 1, "POST", 200,
	    "<InitiateMultipartUploadResult></InitiateMultipartUploadResult>");
	assert_int_equal(put("media/large", S3_SINGLE + 1), S3_DOWN);
	assert_int_equal(bucket_objects(&bucket), 0);
}

static void
what_a_killed_upload_left_is_ended_when_it_is_old(void **state)
{
	struct s3_answer answer;
	struct s3_ask ask = { .method = "POST", .object = "media/large" };
	uint64_t gone;

	(void)state;
	s3_pair_add(&ask.query, "uploads", "");
	assert_int_equal(s3_ask(&conf, &ask, &answer), S3_GOOD);
	s3_answer_free(&answer);
	assert_int_equal(s3_abort(&conf, "media/", time(NULL) - 60, &gone, said), S3_GOOD);
	assert_int_equal(gone, 0);
	assert_int_equal(bucket_pending(&bucket), 1);
	assert_int_equal(s3_abort(&conf, "other/", time(NULL) + 60, &gone, said), S3_GOOD);
	assert_int_equal(gone, 0);
	assert_int_equal(s3_abort(&conf, "media/", time(NULL) + 60, &gone, said), S3_GOOD);
	assert_int_equal(gone, 1);
	assert_int_equal(bucket_pending(&bucket), 0);
}

/* ---- a service that fails ---- */

static void
a_service_that_recovers_is_asked_again(void **state)
{
	static const int statuses[] = { 500, 502, 503, 504, 429 };

	(void)state;
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		bucket_fail(&bucket, BUCKET_ANSWERS, 1, NULL, statuses[i], "Slow down");
		assert_int_equal(put("media/a", 10), S3_GOOD);
	}
	bucket_fail(&bucket, BUCKET_LOSES, 1, "PUT", 0, NULL);
	assert_int_equal(put("media/a", 10), S3_GOOD);
	must_get("media/a", 10);
}

static void
a_service_that_stays_out_of_order_is_given_up(void **state)
{
	(void)state;
	bucket_fail(&bucket, BUCKET_ANSWERS, 100, NULL, 503,
	    "<Error><Code>SlowDown</Code><Message>Reduce\n your rate</Message></Error>");
	assert_int_equal(put("media/a", 10), S3_DOWN);
	assert_string_equal(said, "the service answers 503 SlowDown, Reduce? your rate to PUT");
	assert_int_equal(bucket_count(&bucket, &bucket.requests), 3);
	assert_false(s3_probe(&conf, said));
}

static void
a_refusal_is_not_tried_again_and_tells_no_secret(void **state)
{
	(void)state;
	write_credentials("another-secret-of-somebody", 0600);
	assert_int_equal(put("media/a", 10), S3_REFUSED);
	assert_non_null(strstr(said, "403 SignatureDoesNotMatch"));
	assert_null(strstr(said, "another-secret"));
	assert_int_equal(bucket_count(&bucket, &bucket.requests), 1);
	assert_false(store_logged(store, "another-secret"));
}

static void
credentials_that_everybody_may_read_are_not_used(void **state)
{
	(void)state;
	write_credentials(BUCKET_SECRET, 0644);
	assert_int_equal(put("media/a", 10), S3_REFUSED);
	assert_non_null(strstr(said, "chmod 600"));
	write_credentials("", 0600);
	assert_int_equal(put("media/a", 10), S3_REFUSED);
	write_credentials("a b", 0600);
	assert_int_equal(put("media/a", 10), S3_REFUSED);
	(void)remove(credentials);
	assert_int_equal(put("media/a", 10), S3_REFUSED);
	assert_non_null(strstr(said, "No such file"));
	assert_int_equal(bucket_count(&bucket, &bucket.requests), 0);
}

static void
a_clock_that_is_20_minutes_off_is_told_as_such(void **state)
{
	uint64_t size;

	(void)state;
	bucket.skew = INT64_C(20) * 60000 + 30000;
	assert_int_equal(get("media/a"), S3_REFUSED);
	assert_non_null(strstr(said, "the clock of this machine is 20 minutes behind"));
	bucket.skew = -bucket.skew;
	assert_int_equal(put("media/a", 10), S3_REFUSED);
	assert_non_null(strstr(said, "20 minutes before"));
	/* A response to HEAD has no body with a reason, so the Date header shows the clock's
	 * difference. */
	assert_int_equal(s3_head(&conf, "media/a", &size, said), S3_REFUSED);
	assert_non_null(strstr(said, "20 minutes before"));
}

static void
a_service_that_says_nothing_is_left(void **state)
{
	(void)state;
	conf.timeout = 100;
	bucket_fail(&bucket, BUCKET_SILENT, 3, NULL, 0, NULL);
	assert_int_equal(get("media/a"), S3_DOWN);
	assert_non_null(strstr(said, "said nothing"));
}

static void
a_transfer_that_breaks_off_goes_on_where_it_was(void **state)
{
	(void)state;
	assert_int_equal(put("media/a", 1000000), S3_GOOD);
	bucket_fail(&bucket, BUCKET_HALF, 2, "GET", 0, NULL);
	must_get("media/a", 1000000);
	assert_int_equal(bucket_count(&bucket, &bucket.gets), 3);
	bucket_fail(&bucket, BUCKET_HALF, 3, "GET", 0, NULL);
	assert_int_equal(get("media/a"), S3_DOWN);
}

static void
other_bytes_than_were_stored_are_no_file(void **state)
{
	(void)state;
	assert_int_equal(put("media/a", 1000), S3_GOOD);
	bucket_fail(&bucket, BUCKET_OTHER_BYTES, 1, "GET", 0, NULL);
	assert_int_equal(get("media/a"), S3_DOWN);
	assert_non_null(strstr(said, "other bytes"));
}

static void
a_request_ends_with_its_deadline(void **state)
{
	int fd = file_of(0);

	(void)state;
	bucket_fail(&bucket, BUCKET_SILENT, 1, NULL, 0, NULL);
	assert_int_equal(s3_get(&conf, "media/a", fd, clock_monotonic() - 1, said), S3_DOWN);
	assert_non_null(strstr(said, "took too long"));
	close(fd);
}

/* ---- listings ---- */

static unsigned
list_all(const char *folder)
{
	char after[200] = "";
	struct s3_xml page;
	unsigned count = 0;
	bool more = true;

	while (more) {
		assert_int_equal(s3_list(&conf, folder, after, &page, said), S3_GOOD);
		for (size_t i = 0; i < page.count; i++)
			assert_memory_equal(page.item[i].key, folder, strlen(folder));
		count += (unsigned)page.count;
		more = page.truncated;
		if (page.count > 0)
			(void)snprintf(after, sizeof(after), "%s", page.item[page.count - 1].key);
		s3xml_free(&page);
	}
	return count;
}

static void
listings_come_in_pages(void **state)
{
	char key[64];

	(void)state;
	conf.prefix = (char *)(uintptr_t) "p";
	bucket.page = 7;
	for (int i = 0; i < 30; i++) {
		(void)snprintf(key, sizeof(key), "media/k%d", i);
		assert_int_equal(put(key, 1), S3_GOOD);
	}
	assert_int_equal(put("other/k", 1), S3_GOOD);
	assert_int_equal(list_all("media/"), 30);
	assert_int_equal(list_all("none/"), 0);
}

static void
must_not_list(const char *answer)
{
	struct s3_xml page;

	bucket_fail(&bucket, BUCKET_ANSWERS, 1, NULL, 200, answer);
	assert_int_equal(s3_list(&conf, "media/", "media/k", &page, said), S3_DOWN);
	assert_true(*said != '\0');
	s3xml_free(&page);
}

/* Returns a page with more items than allowed; the caller frees it. */
static char *
too_many(void)
{
	struct stet_buf text = { 0 };

	stet_buf_str(&text, "<ListBucketResult>");
	for (int i = 0; i <= S3XML_ITEMS; i++)
		stet_buf_printf(&text, "<Contents><Key>media/l%d</Key></Contents>", i);
	stet_buf_str(&text, "</ListBucketResult>");
	return text.data;
}

static void
hostile_listings_are_no_listings(void **state)
{
	char *deep, *many;

	(void)state;
	must_not_list("");
	must_not_list("nothing");
	must_not_list("<a>");
	must_not_list("<ListBucketResult><Contents>");
	must_not_list("<Other/>");
	must_not_list("<!DOCTYPE ListBucketResult [<!ENTITY a \"aaaa\">]><ListBucketResult/>");
	must_not_list(
	    "<ListBucketResult><Contents><Key>etc/passwd</Key></Contents></ListBucketResult>");
	must_not_list("<ListBucketResult><Contents/></ListBucketResult>");
	/* The list is truncated but gives no token for the next page. */
	must_not_list("<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>");
	must_not_list("<ListBucketResult><Contents><Key>media/k</Key></Contents>"
		      "<IsTruncated>true</IsTruncated></ListBucketResult>");
	deep = xcalloc(1, 40001);
	for (int i = 0; i < 10000; i++)
		memcpy(deep + 3 * (size_t)i, "<a>", 3);
	must_not_list(deep);
	free(deep);
	many = too_many();
	must_not_list(many);
	free(many);
	bucket_fail(&bucket, BUCKET_TOO_MANY, 3, NULL, 0, NULL);
	assert_false(s3_probe(&conf, said));
	assert_non_null(strstr(said, "more than fits"));
}

#define ASK(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signatures_are_those_of_the_published_examples),
		cmocka_unit_test(a_presigned_url_is_that_of_the_published_example),
		ASK(objects_are_stored_measured_read_and_removed),
		ASK(the_bucket_may_stand_in_the_name_of_the_host),
		ASK(large_files_go_in_parts),
		ASK(an_upload_in_parts_that_fails_is_ended),
		ASK(an_error_with_status_200_is_one),
		ASK(what_a_killed_upload_left_is_ended_when_it_is_old),
		ASK(a_service_that_recovers_is_asked_again),
		ASK(a_service_that_stays_out_of_order_is_given_up),
		ASK(a_refusal_is_not_tried_again_and_tells_no_secret),
		ASK(credentials_that_everybody_may_read_are_not_used),
		ASK(a_clock_that_is_20_minutes_off_is_told_as_such),
		ASK(a_service_that_says_nothing_is_left),
		ASK(a_transfer_that_breaks_off_goes_on_where_it_was),
		ASK(other_bytes_than_were_stored_are_no_file),
		ASK(a_request_ends_with_its_deadline),
		ASK(listings_come_in_pages),
		ASK(hostile_listings_are_no_listings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
