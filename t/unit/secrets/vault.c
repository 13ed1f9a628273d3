/* vault.t - values that are sealed for one column and row, and files with the key of a site. */
#include "secrets/vault.h"
#include "base/dir.h"
#include "base/words.h"
#include "secrets/sitekey.h"
#include "store.h"

static const struct vault_place here = { "webhook", "secret", "01ROW" };
static const char value[] = "whsec_abc";

static struct sitekeys
one_key(void)
{
	struct sitekeys keys = { .count = 1 };

	sitekey_make(&keys.key[0]);
	return keys;
}

static bool
opens(const struct sitekeys *keys, const struct vault_place *at, const char *sealed)
{
	char *why, *out;
	size_t len = 0;

	out = vault_open_value(keys, at, sealed, &len, &why);
	assert_true((out == NULL) == (why != NULL));
	if (out != NULL) {
		assert_int_equal(len, strlen(value));
		assert_string_equal(out, value);
	}
	free(why);
	vault_drop(out, len);
	return out != NULL;
}

static void
what_is_sealed_opens_where_it_belongs(void **state)
{
	struct sitekeys keys = one_key();
	char *a = vault_close_value(&keys.key[0], &here, value, strlen(value));
	char *b = vault_close_value(&keys.key[0], &here, value, strlen(value));

	(void)state;
	assert_true(opens(&keys, &here, a));
	assert_true(opens(&keys, &here, b));
	assert_string_not_equal(a, b);
	assert_null(strstr(a, value));
	free(a);
	free(b);
}

static void
a_value_of_no_bytes_and_the_longest_one_are_values(void **state)
{
	struct sitekeys keys = one_key();
	static char most[STET_SEAL_MAX];
	size_t len = 1;
	char *why, *out, *sealed = vault_close_value(&keys.key[0], &here, "", 0);

	(void)state;
	out = vault_open_value(&keys, &here, sealed, &len, &why);
	assert_non_null(out);
	assert_int_equal(len, 0);
	vault_drop(out, len);
	free(sealed);
	memset(most, 'x', sizeof(most));
	sealed = vault_close_value(&keys.key[0], &here, most, sizeof(most));
	out = vault_open_value(&keys, &here, sealed, &len, &why);
	assert_non_null(out);
	assert_int_equal(len, sizeof(most));
	assert_memory_equal(out, most, len);
	vault_drop(out, len);
	free(sealed);
}

static void
it_opens_nowhere_else(void **state)
{
	static const struct vault_place elsewhere[] = {
		{ "webhook", "secret", "01ROX" },
		{ "webhook", "secret", "" },
		{ "webhook", "secret2", "01ROW" },
		{ "webhooks", "secret", "01ROW" },
		{ "webhook", "secret01ROW", "" },
		{ "web", "hooksecret", "01ROW" },
	};
	struct sitekeys keys = one_key();
	char *sealed = vault_close_value(&keys.key[0], &here, value, strlen(value));

	(void)state;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		assert_false(opens(&keys, &elsewhere[i], sealed));
	free(sealed);
}

static void
another_key_does_not_open_it_and_is_named(void **state)
{
	struct sitekeys keys = one_key(), others = one_key();
	char *sealed = vault_close_value(&keys.key[0], &here, value, strlen(value)), *why;
	size_t len;

	(void)state;
	assert_null(vault_open_value(&others, &here, sealed, &len, &why));
	assert_non_null(strstr(why, "another key"));
	assert_non_null(strstr(why, keys.key[0].id_text));
	free(why);
	others.key[1] = keys.key[0];
	others.count = 2;
	assert_true(opens(&others, &here, sealed));
	free(sealed);
}

static void
no_byte_of_it_may_change(void **state)
{
	struct sitekeys keys = one_key();
	char *sealed = vault_close_value(&keys.key[0], &here, value, strlen(value));
	size_t len = strlen(sealed);

	(void)state;
	for (size_t i = 0; i < len; i++) {
		char was = sealed[i];

		sealed[i] = was == 'A' ? 'B' : 'A';
		assert_false(opens(&keys, &here, sealed));
		sealed[i] = '*';
		assert_false(opens(&keys, &here, sealed));
		sealed[i] = was;
	}
	assert_true(opens(&keys, &here, sealed));
	for (size_t cut = len; cut-- > 0;) {
		sealed[cut] = '\0';
		assert_false(opens(&keys, &here, sealed));
	}
	free(sealed);
	assert_false(opens(&keys, &here, value));
}

static void
too_much_text_is_no_sealed_value(void **state)
{
	struct sitekeys keys = one_key();
	size_t len = 1 << 20;
	char *text = xmalloc(len + 1);

	(void)state;
	memset(text, 'A', len);
	text[len] = '\0';
	assert_false(opens(&keys, &here, text));
	free(text);
}

/* ---- the file ---- */

static char dir[32];

static int
make_dir(void **state)
{
	(void)state;
	(void)snprintf(dir, sizeof(dir), "/tmp/stet-vault-XXXXXX");
	return mkdtemp(dir) != NULL ? 0 : -1;
}

static int
remove_dir(void **state)
{
	char *key = sitekey_path(dir, NULL), *tmp = words_format("%s/" DATADIR_TMP, dir);

	(void)state;
	(void)unlink(key);
	(void)rmdir(tmp);
	free(key);
	free(tmp);
	return rmdir(dir);
}

static void
put_file(const char *text)
{
	char *path = sitekey_path(dir, NULL);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	free(path);
}

static enum sitekey_found
look(struct sitekeys *keys)
{
	char *path = sitekey_path(dir, NULL), *why;
	enum sitekey_found found = sitekey_read(path, keys, &why);

	assert_true((found == SITEKEY_THERE) == (why == NULL));
	free(why);
	free(path);
	return found;
}

static void
a_key_is_written_for_its_owner_and_read_again(void **state)
{
	struct sitekeys keys = one_key(), others = one_key(), again;
	char *path = sitekey_path(dir, NULL), *why;
	struct stat st;
	bool there;

	(void)state;
	assert_int_equal(look(&again), SITEKEY_MISSING);
	assert_true(sitekey_write(dir, NULL, &keys, false, &there, &why));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(st.st_nlink, 1);
	assert_int_equal(look(&again), SITEKEY_THERE);
	assert_memory_equal(&again, &keys, sizeof(keys));
	assert_false(sitekey_write(dir, NULL, &others, false, &there, &why));
	assert_true(there);
	assert_null(why);
	assert_int_equal(look(&again), SITEKEY_THERE);
	assert_memory_equal(&again, &keys, sizeof(keys));
	keys.key[1] = others.key[0];
	keys.count = 2;
	assert_true(sitekey_write(dir, NULL, &keys, true, NULL, &why));
	assert_int_equal(look(&again), SITEKEY_THERE);
	assert_int_equal(again.count, 2);
	assert_memory_equal(&again, &keys, sizeof(keys));
	assert_ptr_equal(sitekey_find(&again, others.key[0].id_text), &again.key[1]);
	assert_null(sitekey_find(&again, "0000000000000000"));
	free(path);
}

static void
what_is_no_key_is_refused(void **state)
{
#define KEY "stet-site-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	static const char *const bad[] = { "", "\n", "stet-site-", "stet-site-AAAA\n",
		"stet-secret-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n", KEY "A\n", KEY " \n",
		KEY "\nmore\n", KEY "\n" KEY "\n" KEY "\n" };
	static const char *const good[] = { KEY, KEY "\n", KEY "\r\n", KEY "\n" KEY "\n" };
	struct sitekeys keys;
	char *big = xmalloc(5000), *why;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		put_file(bad[i]);
		if (look(&keys) != SITEKEY_BAD)
			fail_msg("\"%s\" is taken for a key", bad[i]);
		assert_int_equal(keys.count, 0);
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		put_file(good[i]);
		assert_int_equal(look(&keys), SITEKEY_THERE);
	}
	memset(big, 'A', 4999);
	big[4999] = '\0';
	put_file(big);
	assert_int_equal(look(&keys), SITEKEY_BAD);
	free(big);
	assert_int_equal(sitekey_read(dir, &keys, &why), SITEKEY_BAD);
	free(why);
}

int
main(void)
{
#define IN_DIR(test_) cmocka_unit_test_setup_teardown(test_, make_dir, remove_dir)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_sealed_opens_where_it_belongs),
		cmocka_unit_test(a_value_of_no_bytes_and_the_longest_one_are_values),
		cmocka_unit_test(it_opens_nowhere_else),
		cmocka_unit_test(another_key_does_not_open_it_and_is_named),
		cmocka_unit_test(no_byte_of_it_may_change),
		cmocka_unit_test(too_much_text_is_no_sealed_value),
		IN_DIR(a_key_is_written_for_its_owner_and_read_again),
		IN_DIR(what_is_no_key_is_refused),
	};

	if (sodium_init() < 0)
		return 99;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
