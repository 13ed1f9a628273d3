/* formrow.c - validates what a row brings for a form in the admin pages: a label and members. */
#include "module/formrow.h"
#include "module/oprow.h"
#include <string.h>

#define LABEL_MAX 80

static enum stet_status
never(struct stet_call *call)
{
	(void)call;
	return STET_OK;
}

const char *
formrow_check(const struct stet_module *m, const char *label, const struct stet_member *validation,
    const struct stet_member *options)
{
	struct stet_op op = { .name = "form", .in = validation, .run = never };
	const char *why = validation != NULL ? oprow_check(&op, m) : NULL;

	if (label != NULL && (*label == '\0' || strlen(label) > LABEL_MAX))
		return "has a label that is empty or longer than 80 bytes";
	if (why != NULL || options == NULL)
		return why;
	op.in = options;
	return oprow_check(&op, m);
}
