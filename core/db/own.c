/* own.c - tests whether a name in SQL belongs to a plugin. */
#include "db/own.h"
#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* A character of the plugin's name as it is in SQL names. */
static char
folded(char c)
{
	return c == '-' ? '_' : (char)tolower((unsigned char)c);
}

bool
own_name(const char *plugin, const char *name)
{
	if (name == NULL)
		return false;
	for (; *plugin != '\0'; plugin++, name++)
		if (folded(*plugin) != (char)tolower((unsigned char)*name))
			return false;
	return *name == '_';
}

bool
own_overlap(const char *plugin, const char *other)
{
	while (*plugin != '\0' && *other != '\0' && folded(*plugin) == folded(*other))
		plugin++, other++;
	return (*plugin == '\0' && (*other == '\0' || folded(*other) == '_')) ||
	       (*other == '\0' && folded(*plugin) == '_');
}

static const char *
blanks(const char *sql)
{
	return sql + strspn(sql, " \t\r\n");
}

/* Returns what follows this word and the blanks behind it, or NULL if there is another word. */
static const char *
past_word(const char *sql, const char *word)
{
	size_t len = strlen(word);

	if (strncasecmp(sql, word, len) != 0 || blanks(sql + len) == sql + len)
		return NULL;
	return blanks(sql + len);
}

/* Returns what follows a name, bare or in double quotes, of letters, digits and underscores; NULL
 * if there is none. */
static const char *
past_name(const char *sql, const char **name)
{
	bool quoted = *sql == '"';

	*name = sql += quoted;
	while (isalnum((unsigned char)*sql) || *sql == '_')
		sql++;
	if (sql == *name || (quoted && *sql != '"'))
		return NULL;
	return blanks(sql + quoted);
}

bool
own_rename(const char *plugin, const char *sql)
{
	const char *old, *new;

	sql = blanks(sql);
	if ((sql = past_word(sql, "ALTER")) == NULL || (sql = past_word(sql, "TABLE")) == NULL ||
	    (sql = past_name(sql, &old)) == NULL || (sql = past_word(sql, "RENAME")) == NULL ||
	    (sql = past_word(sql, "TO")) == NULL || (sql = past_name(sql, &new)) == NULL)
		return false;
	return (*sql == '\0' || *sql == ';') && own_name(plugin, new);
}
