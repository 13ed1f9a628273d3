/* script.h - objects in programs of JavaScript, which settings of generators are. */
#ifndef IMPORT_SCRIPT_H
#define IMPORT_SCRIPT_H

#include <stet/module.h>

/* Returns the object that a program exports or sets first, or the value of the first member of the
 * name `member` if that is an object, as text that can be read as YAML. NULL: there is none, or it
 * does not end. Owned by the call. */
const char *script_object(struct stet_call *, const char *program, const char *member);

#endif
