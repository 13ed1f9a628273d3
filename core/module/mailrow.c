/* mailrow.c - validates a module's row of mails: its name and the function that makes the text. */
#include "module/mailrow.h"
#include <string.h>

const char *
mailrow_check(const struct stet_module *m, uint32_t i)
{
	struct stet_mail_def row, other;

	stet_table_row(&m->mails, i, &row, sizeof(row));
	if (row.name == NULL || !stet_is_name(row.name))
		return "a mail of it has a bad name";
	if (row.make == NULL)
		return "a mail of it has no function that makes it";
	for (uint32_t k = 0; k < i; k++) {
		stet_table_row(&m->mails, k, &other, sizeof(other));
		if (strcmp(row.name, other.name) == 0)
			return "it has two mails of one name";
	}
	return NULL;
}
