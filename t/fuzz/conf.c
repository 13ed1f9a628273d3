/*
 * conf - a configuration file: it is read whole, or refused with a reason. After a bad file, a good
 * one is read as it was before. The plain form of a file has the same meaning.
 */
#include "conf/conf.h"
#include "conf/conftext.h"
#include "fuzz.h"
#include <string.h>

/* State that the parser keeps of one file must not change the meaning of the next one. */
static void
read_good(void)
{
	char *why;
	struct conf *conf =
	    conf_parse("workers = 7\nsite a { locales = { \"de\" } }\n", "good", &why);

	must(conf != NULL && why == NULL && conf->workers == 7 && conf->site_count == 1);
	must(strcmp(conf->sites[0].name, "a") == 0 && strcmp(conf->sites[0].locales[0], "de") == 0);
	conf_free(conf);
}

/* Returns true if the text has a plain form. The plain form of a plain form is the same text. */
static bool
scan(const char *text)
{
	struct buf plain = { 0 }, again = { 0 }, wrong = { 0 };
	bool good = conftext_plain(text, "file", &plain, &wrong);

	must(good == (wrong.len == 0));
	if (good) {
		must(conftext_plain(plain.data, "file", &again, &wrong));
		must(again.len == plain.len && memcmp(again.data, plain.data, plain.len) == 0);
	}
	buf_free(&plain);
	buf_free(&again);
	buf_free(&wrong);
	return good;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *why;
	struct conf *conf;

	must(text != NULL);
	conf = conf_parse(text, "file", &why);
	must((conf == NULL) == (why != NULL));
	must(scan(text) || conf == NULL);
	for (size_t i = 0; conf != NULL && i < conf->site_count; i++)
		must(conf->sites[i].name != NULL && conf->sites[i].data != NULL &&
		     conf->sites[i].locales[0] != NULL);
	conf_free(conf);
	free(why);
	free(text);
	read_good();
	return 0;
}
