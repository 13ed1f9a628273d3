/* plain.h - Portable Text without its keys, for comparing. */
#ifndef T_MODULE_PLAIN_H
#define T_MODULE_PLAIN_H

#include <jansson.h>

/* Removes the keys of all objects in a value; marks of links become the URLs. */
void plain_make(json_t *);

#endif
