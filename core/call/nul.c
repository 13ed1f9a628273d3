/* nul.c - finds U+0000 in the strings of a JSON value, since a C string would end there. */
#include "base/buf.h"
#include "call/call.h"
#include <string.h>

/* One step on the path from the root to a string. Steps lie on the stack, and the path is put
 * together only for a string that is refused: a path can be as long as the body, and a body has
 * many values. */
struct step {
	const struct step *outer; /* NULL: the root */
	const char *name; /* name of a member; NULL: an element of an array */
	size_t index;
};

static void
add_path(struct buf *out, const struct step *step)
{
	if (step == NULL)
		return;
	add_path(out, step->outer);
	if (step->name == NULL) {
		buf_printf(out, "[%zu]", step->index);
		return;
	}
	buf_str(out, out->len > 0 ? "." : "");
	buf_str(out, step->name);
}

static bool
check_nul(struct stet_call *call, const char *path, const json_t *value, const struct step *outer)
{
	json_t *mutable = (json_t *)(uintptr_t)value, *v;
	struct step step = { outer, NULL, 0 };
	struct buf text = { 0 };
	bool good = true;

	if (json_is_string(value)) {
		if (strlen(json_string_value(value)) == json_string_length(value))
			return true;
		if (call->error.issue_count < ISSUES_MAX) {
			buf_str(&text, path);
			add_path(&text, outer);
		}
		stet_issue(call, text.len > 0 ? text.data : "", "must not hold U+0000");
		buf_free(&text);
		return false;
	}
	json_object_foreach(mutable, step.name, v)
	{
		good &= check_nul(call, path, v, &step);
	}
	if (!json_is_array(value))
		return good;
	step.name = NULL;
	json_array_foreach(value, step.index, v)
	{
		good &= check_nul(call, path, v, &step);
	}
	return good;
}

bool
stet_json_check_nul(struct stet_call *call, const char *path, const json_t *value)
{
	return check_nul(call, path, value, NULL);
}
