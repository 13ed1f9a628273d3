/*
 * blocks - texts of posts as Portable Text. Whatever the bytes are, the value is an array of
 * objects with a type and a key of their own, not deeper than a request may be, the same each time;
 * and no text, link or picture is lost. fuzz: with modules/html/convert
 */
#include "../../modules/html/convert/convert.h"
#include "fuzz.h"
#include "text.h"
#include <string.h>

#define DEPTH_MAX 60

static void
check_value(const json_t *value, json_t *keys, int depth)
{
	json_t *mutable = (json_t *)(uintptr_t)value, *member;
	const char *name, *key = json_string_value(json_object_get(value, "_key"));
	size_t i;

	must(depth < DEPTH_MAX);
	if (json_is_string(value))
		must(strlen(json_string_value(value)) == json_string_length(value));
	if (key != NULL) {
		must(json_object_get(keys, key) == NULL);
		must(json_object_set_new(keys, key, json_true()) == 0);
	}
	json_object_foreach(mutable, name, member)
	    /* originalAttrs is copied from the source and may have any members */
	    if (strcmp(name, "originalAttrs") != 0) check_value(member, keys, depth + 1);
	json_array_foreach(value, i, member) check_value(member, keys, depth + 1);
}

static bool
is_address(const json_t *told, bool refused)
{
	static const char what[] = "address: ";
	const char *text = json_string_value(told);

	return strncmp(text, what, sizeof(what) - 1) == 0 &&
	       !(refused && stet_is_source(text + sizeof(what) - 1));
}

/* The converter leaves out pictures and players whose address a field would refuse, together with
 * the link around them. If the list contains such an address, removes all addresses from it. */
static void
drop_refused(json_t *lost)
{
	bool found = false;

	for (size_t i = 0; i < json_array_size(lost); i++)
		found |= is_address(json_array_get(lost, i), true);
	for (size_t i = json_array_size(lost); found && i-- > 0;)
		if (is_address(json_array_get(lost, i), false))
			(void)json_array_remove(lost, i);
}

/* If a tag spans the comment of a block, the checker sees one tag and the converter two, so they
 * split words at different places. */
static bool
is_cut_alike(const char *text, size_t len)
{
	bool inside = false, comment = false;
	char quote = '\0';

	for (size_t i = 0; i < len; i++) {
		if (comment) {
			comment = text[i] != '>' || text[i - 1] != '-';
		} else if (inside && (text[i] == '"' || text[i] == '\'')) {
			quote = quote == '\0' ? text[i] : quote == text[i] ? '\0' : quote;
		} else if (text[i] == '<') {
			if (inside)
				return false;
			comment = len - i > 3 && memcmp(text + i, "<!--", 4) == 0;
			inside = !comment;
		} else if (text[i] == '>') {
			inside = quote != '\0';
		}
	}
	return !inside && !comment && memchr(text, '[', len) == NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	json_t *value, *again, *block, *lost, *keys = json_object();
	size_t i;

	must(convert_text(NULL, text, size, NULL, NULL, &value) == STET_OK);
	must(convert_text(NULL, text, size, NULL, NULL, &again) == STET_OK);
	must(json_is_array(value) && json_equal(value, again));
	json_array_foreach(value, i, block)
	{
		must(json_is_string(json_object_get(block, "_type")));
		must(json_is_string(json_object_get(block, "_key")));
	}
	check_value(value, keys, 0);
	lost = convert_check(text, size, value);
	drop_refused(lost);
	if (json_array_size(lost) > 0 && is_text(text, size) && is_cut_alike(text, size))
		must(json_dumpf(lost, stderr, 0) != 0);
	json_decref(lost);
	json_decref(keys);
	json_decref(value);
	json_decref(again);
	return 0;
}
