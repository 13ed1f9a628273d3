/* plain.h - Portable Text without its keys, for comparing. */
#ifndef T_MODULE_PLAIN_H
#define T_MODULE_PLAIN_H

#include <jansson.h>

/* Takes out the keys of all objects in a value; marks that are links say where they lead. */
void plain_make(json_t *);

#endif
