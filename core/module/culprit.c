/* culprit.c - tells the crash handler which plugin the thread runs, or which one an object is. */
#include "module/culprit.h"

#include "call/site.h"
#include "module/mark.h"
#include "module/module.h"
#include "module/running.h"

#include <string.h>

static void
by_path(struct culprit *c, const char *path)
{
	size_t count = modules_count();

	for (size_t i = 0; i < count; i++) {
		const struct loaded *l = modules_at(i);

		if (l->bundled || strcmp(l->path, path) != 0)
			continue;
		mark_copy(c->module, sizeof(c->module), l->m.name);
		mark_copy(c->what, sizeof(c->what), "its code");
		c->plugin = true;
	}
}

static void
here(struct culprit *c)
{
	const struct running *r = running_here();
	size_t len;

	if (*mark_loading() != '\0') {
		mark_copy(c->module, sizeof(c->module), mark_loading());
		mark_copy(c->what, sizeof(c->what), MARK_CONSTRUCTOR);
		c->plugin = true;
	}
	if (r == NULL)
		return;
	mark_copy(c->what, sizeof(c->what), running_kind_name[r->kind]);
	len = strlen(c->what);
	mark_copy(c->what + len, sizeof(c->what) - len, r->name != NULL ? " " : "");
	len = strlen(c->what);
	mark_copy(c->what + len, sizeof(c->what) - len, r->name != NULL ? r->name : "");
	if (r->module != NULL) {
		mark_copy(c->module, sizeof(c->module), r->module->m.name);
		c->plugin = !r->module->bundled;
	}
	mark_copy(c->call, sizeof(c->call), r->call->id);
	if (r->call->site != NULL)
		mark_copy(c->site, sizeof(c->site), site_name(r->call->site));
}

const struct crash_witness culprit_witness = {
	.here = here, .by_path = by_path, .keep = mark_keep
};
