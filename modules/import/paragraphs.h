/* paragraphs.h - markup as Portable Text, a paragraph for each piece between blank lines. */
#ifndef IMPORT_PARAGRAPHS_H
#define IMPORT_PARAGRAPHS_H
#include <stet/call.h>
STET_MUST enum stet_status paragraphs_of(struct stet_call *, const char *text, json_t **out);
#endif
