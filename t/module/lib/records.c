/* records.c - the audit log of a site, for its tests. */
#include "records.h"
#include <stdlib.h>

json_t *
record(struct harness *h, int i)
{
	struct outcome *o;
	json_t *found;

	harness_ok(o, ask(h, admin, AUDIT "?limit=100"));
	found = json_array_get(harness_at(o->data, "items"), (size_t)i);
	assert_non_null(found);
	return found;
}

void
assert_member(json_t *found, const char *name, const char *value)
{
	if (strcmp(harness_text(found, name), value) != 0)
		fail_msg("%s is not %s in %s", name, value, json_dumps(found, 0));
}

int
records(struct harness *h)
{
	return (int)strtol(inside_ask(h, "SELECT count(*) FROM audit_log"), NULL, 10);
}

void
assert_sound(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "audit_verify", "{}"));
	if (json_array_size(harness_at(o->data, "problems")) != 0)
		fail_msg("%s", o->text);
	assert_ok(harness_op(h, admin, "audit_prove", "{}"));
}

void
assert_broken(struct harness *h, const char *words)
{
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "audit_verify", "{}"));
	if (strstr(o->text, words) == NULL)
		fail_msg("not told: %s; told: %s", words, o->text);
	assert_code(harness_op(h, admin, "audit_prove", "{}"), "AUDIT_BROKEN");
}
