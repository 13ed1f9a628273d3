/* elder.h - what the files of the plugin elder share. */
#ifndef ELDER_H
#define ELDER_H
#include <stet/module.h>
#include <string.h>

/* Memory for the call, of `size` bytes. It ends at the end of a page, and the page behind it can be
 * neither read nor written. */
void *guarded(struct stet_call *call, size_t size);

/* Allocates a structure with these members so that its end is the end of a page. */
#define GUARDED(call_, type_, ...)                                  \
	({                                                          \
		struct type_ *it_ = guarded((call_), sizeof(*it_)); \
		*it_ = (struct type_){ __VA_ARGS__ };               \
		it_;                                                \
	})
/* Allocates a structure for the host to fill. Every byte is 0xa5 before. */
#define UNFILLED(call_, type_)                                      \
	({                                                          \
		struct type_ *it_ = guarded((call_), sizeof(*it_)); \
		memset(it_, 0xa5, sizeof(*it_));                    \
		it_;                                                \
	})

/* Ops that use services of other modules. */
enum stet_status elder_import_comment(struct stet_call *call);
enum stet_status elder_person(struct stet_call *call);
enum stet_status elder_credits(struct stet_call *call);
enum stet_status elder_terms(struct stet_call *call);

#endif
