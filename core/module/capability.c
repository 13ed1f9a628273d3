/* capability.c - checks the form of a capability: a word, or a word, a colon and an object. */
#include "module/capability.h"
#include <stdbool.h>
#include <string.h>

#define WORD "abcdefghijklmnopqrstuvwxyz"
#define ABOUT_MAX 256

/* "mail", "fetch:api.example.org" */
static bool
is_good(const char *name)
{
	size_t word = name != NULL ? strspn(name, WORD) : 0, about;

	if (word == 0 || word > ABOUT_MAX || (name[word] != '\0' && name[word] != ':'))
		return false;
	if (name[word] == '\0')
		return true;
	about = strspn(name + word + 1, WORD "0123456789-_.");
	return about > 0 && about <= ABOUT_MAX && name[word + 1 + about] == '\0';
}

const char *
capability_check(const struct stet_module *m, uint32_t i)
{
	struct stet_capability row, other;

	stet_table_row(&m->capabilities, i, &row, sizeof(row));
	if (!is_good(row.name))
		return "a capability of it is not a word like mail, or fetch:api.example.org";
	for (uint32_t k = 0; k < i; k++) {
		stet_table_row(&m->capabilities, k, &other, sizeof(other));
		if (strcmp(row.name, other.name) == 0)
			return "it has a capability twice";
	}
	return NULL;
}
