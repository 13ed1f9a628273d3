/* psql.h - statements that a test runs with psql, as the owner of the server. */
#ifndef T_HTTP_PSQL_H
#define T_HTTP_PSQL_H

/* Runs a statement in the schema "stet_main". Returns what psql prints: a line for each row, "|"
 * between its columns, no line feed at the end. To be freed. */
char *psql_ask(const char *uri, const char *sql);

#endif
