/* broken - plugins that are refused, each for the reason that it is built with. */
#include <stet/module.h>

#ifdef UNDEFINED
extern enum stet_status stet_no_such_function(struct stet_call *);
#endif

static enum stet_status
run(struct stet_call *call)
{
#ifdef UNDEFINED
	return stet_no_such_function(call);
#else
	(void)call;
	return STET_OK;
#endif
}

#ifndef MAJOR
#define MAJOR STET_ABI_MAJOR
#endif
#ifndef MINOR
#define MINOR STET_ABI_MINOR
#endif
#ifndef NOTE
#define NOTE STET_ABI_NOTE
#endif
#ifndef PERMISSION
#define PERMISSION NULL
#endif
#ifndef PAGE_PERMISSION
#define PAGE_PERMISSION NULL
#endif
#ifndef FLAGS
#define FLAGS 0
#endif
#ifndef NEEDS
#define NEEDS NULL
#endif

static const struct stet_op ops[] = {
	{ "run", "Run", "Runs.", "GET /run", FLAGS, STET_READ, PERMISSION, "content:read", NULL,
	    NULL, run },
};
static const struct stet_admin_page pages[] = { { "a", "A", "a.html", PAGE_PERMISSION } };
static const char *const need_names[] = { NEEDS, NULL };

/* SYMBOL is the name that the file exports. The loader expects a name that is made from the file's
 * name. */
STET_API extern const struct stet_module SYMBOL;
STET_API const struct stet_module SYMBOL = {
	.magic = STET_MAGIC,
	.abi_major = MAJOR,
	.abi_minor = MINOR,
	.size = sizeof(struct stet_module),
	.abi_note = NOTE,
	.name = NAME,
	.version = "1.0",
	.summary = "Broken for the tests",
	.needs = need_names,
	.ops = STET_TABLE(ops),
	.member_size = sizeof(struct stet_member),
	.admin_pages = STET_TABLE(pages),
};
