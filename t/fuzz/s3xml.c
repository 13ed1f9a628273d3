/*
 * s3xml - an answer of an S3 service: it is read within the bounds or refused, and the names of a
 * listing read the same when they are said again.
 *
 * fuzz: with modules/files-s3/s3xml.c
 */
#include "../modules/files-s3/s3xml.h"
#include "base/buf.h"
#include "fuzz.h"
#include <string.h>

static void
add_escaped(struct buf *out, const char *text)
{
	for (; *text != '\0'; text++)
		if (strchr("<>&\r", *text) != NULL)
			buf_printf(out, "&#%d;", *text);
		else
			buf_char(out, *text);
}

/* A name that was cut may end within a character. */
static bool
is_cut(const char *key)
{
	return strlen(key) >= S3XML_TEXT - 1;
}

static void
check_again(const struct s3_xml *first)
{
	struct buf text = { 0 };
	struct s3_xml again;

	buf_str(&text, "<ListBucketResult>");
	for (size_t i = 0; i < first->count; i++) {
		buf_str(&text, "<Contents><Key>");
		add_escaped(&text, first->item[i].key);
		buf_str(&text, "</Key></Contents>");
	}
	buf_str(&text, "</ListBucketResult>");
	must(s3xml_read(text.data, text.len, &again));
	must(again.count == first->count);
	for (size_t i = 0; i < first->count; i++)
		must(strcmp(again.item[i].key, first->item[i].key) == 0);
	s3xml_free(&again);
	buf_free(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct s3_xml xml;
	bool good = s3xml_read((const char *)data, size, &xml), whole = true;

	must(xml.count <= S3XML_ITEMS);
	must(!good || xml.root[0] != '\0');
	must(memchr(xml.code, '\0', sizeof(xml.code)) != NULL);
	must(memchr(xml.message, '\0', sizeof(xml.message)) != NULL);
	must(memchr(xml.upload, '\0', sizeof(xml.upload)) != NULL);
	for (size_t i = 0; i < xml.count; i++) {
		must(xml.item[i].key == NULL || strlen(xml.item[i].key) < S3XML_TEXT);
		whole = whole && xml.item[i].key != NULL && !is_cut(xml.item[i].key);
	}
	if (good && whole)
		check_again(&xml);
	s3xml_free(&xml);
	return 0;
}
