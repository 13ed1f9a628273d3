/*
 * wxr.c - export files: XML, gzip or zip. Any input is read or refused with a reason; reports are
 * UTF-8 without control characters, and within their limits.
 * fuzz: with modules/import/read/build.c
 * fuzz: with modules/import/read/clean.c
 * fuzz: with modules/import/read/faults.c
 * fuzz: with modules/import/read/rules.c
 * fuzz: with modules/import/read/source.c
 * fuzz: with modules/import/read/wxr.c
 */
#include "../../modules/import/read/wxr.h"
#include "call/call.h"
#include "fuzz.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST (1u << 20)

static void
clean_text(const char *text)
{
	must(text != NULL);
	must(stet_utf8_length(text) >= 0);
	for (; *text != '\0'; text++)
		must((unsigned char)*text >= ' ' || strchr("\t\r\n", *text) != NULL);
}

static enum stet_status
site(void *arg, const struct wxr_site *s)
{
	must(!*(bool *)arg); /* once */
	*(bool *)arg = true;
	clean_text(s->title);
	clean_text(s->base_blog);
	return STET_OK;
}

static enum stet_status
author(void *arg, const struct wxr_author *a)
{
	must(*(bool *)arg);
	clean_text(a->login);
	clean_text(a->display_name);
	must(*a->login != '\0');
	return STET_OK;
}

static enum stet_status
term(void *arg, const struct wxr_term *t)
{
	must(*(bool *)arg);
	must(*t->taxonomy != '\0');
	clean_text(t->name);
	for (size_t i = 0; i < t->meta_count; i++)
		clean_text(t->meta[i].value);
	return STET_OK;
}

static void
clean_comment(const struct wxr_comment *c)
{
	clean_text(c->content);
	clean_text(c->author);
	for (size_t i = 0; i < c->meta_count; i++)
		clean_text(c->meta[i].value);
}

static enum stet_status
item(void *arg, const struct wxr_item *i)
{
	must(*(bool *)arg);
	must(*i->type != '\0' && i->line > 0);
	clean_text(i->title);
	clean_text(i->content);
	clean_text(i->excerpt);
	for (size_t m = 0; m < i->meta_count; m++) {
		clean_text(i->meta[m].key);
		clean_text(i->meta[m].value);
	}
	for (size_t l = 0; l < i->label_count; l++) {
		clean_text(i->labels[l].taxonomy);
		clean_text(i->labels[l].text);
	}
	for (size_t c = 0; c < i->comment_count; c++)
		clean_comment(&i->comments[c]);
	return STET_OK;
}

static enum stet_status
notice(void *arg, const struct wxr_notice *n)
{
	(void)arg;
	must(*n->text != '\0');
	return STET_OK;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stet_call *call = call_new();
	bool told = false;
	const struct wxr_sink sink = { site, author, term, item, notice, &told };
	struct wxr_totals totals;
	enum stet_status status;
	char name[64];
	const char *path = name;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	status = wxr_read(call, &path, 1, MOST, &sink, &totals);
	must(status == STET_OK || status == STET_VALIDATION_ERROR ||
	     status == STET_PAYLOAD_TOO_LARGE);
	must(status == STET_OK || strlen(stet_error_text(call)) > 20);
	must(status != STET_OK || told);
	close(fd);
	call_free(call);
	return 0;
}
