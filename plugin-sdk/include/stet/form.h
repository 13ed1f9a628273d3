/*
 * form.h - the bodies of HTML forms (application/x-www-form-urlencoded), for ops with STET_RAW
 * whose clients send them: pages with STET_FORM, and protocols such as OAuth.
 */
#ifndef STET_FORM_H
#define STET_FORM_H

#include <stet/call.h>

#define STET_FORM_MAX 1000 /* fields */

struct stet_form_field {
	const char *name, *value; /* decoded UTF-8 without NUL; never NULL */
	/* New fields go here, and nowhere else. */
};

/* Reads the bytes of a form. *fields is an array of *count pointers in the order of the form, owned
 * by the call. An empty body has no fields. Fails with VALIDATION_ERROR for broken escapes, NUL,
 * text that is no UTF-8, and more than STET_FORM_MAX fields. */
STET_API STET_MUST enum stet_status stet_form(struct stet_call *, const char *bytes, size_t len,
    const struct stet_form_field *const **fields, size_t *count);

/* Returns the number of fields with this name. *value is the value of the first; NULL: none. */
STET_API size_t stet_form_value(const struct stet_form_field *const *fields, size_t count,
    const char *name, const char **value);

#endif
