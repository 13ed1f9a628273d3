/* asked.h - options of the command about fields, and the fields of the plan. */
#ifndef IMPORT_ASKED_H
#define IMPORT_ASKED_H

#include "job/stages.h"

/* Sets {NAME: VALUE} for the argument NAME=VALUE. Returns false if it is none. */
bool asked_pair(json_t *to, const char *text);
/* The same, with the equals sign of the argument (NULL: there is none): a name may have others. */
bool asked_pair_at(json_t *to, const char *text, const char *equals);
/* Reports a wrong argument of an option; returns false. */
bool asked_refuse(const char *option, const char *value, const char *why);
/* Takes the arguments of --type (COLUMN=TYPE) and of --relation (COLUMN=TYPE.COLUMN): they become
 * the members `types` and `relations` of the importer's options. Return false after they have
 * reported what is wrong. */
bool asked_type(struct stet_call *, json_t *options, const char *text);
bool asked_relation(json_t *options, const char *text);
/* Sets the types that --type asks for in the fields that the import makes. */
void asked_fields(struct stet_call *, const json_t *types, json_t *fields);
/* Prints the fields that the import makes, with their types. */
STET_MUST enum stet_status asked_show(struct stages *);

#endif
