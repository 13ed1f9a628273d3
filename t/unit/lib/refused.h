/* refused.h - checks descriptors that have a single error. Include cmocka.h before it. */
#ifndef T_UNIT_LIB_REFUSED_H
#define T_UNIT_LIB_REFUSED_H

#include "module/descriptor.h"
#include <string.h>

/* Fails unless a descriptor `m`, made by the file's own good() and then changed, is refused with a
 * reason that contains the text. */
#define assert_bad(change, text)                                            \
	do {                                                                \
		struct stet_module m = good();                              \
		const char *why_;                                           \
		change;                                                     \
		why_ = descriptor_check(&m, NULL);                          \
		if (why_ == NULL || strstr(why_, (text)) == NULL)           \
			fail_msg("%s: %s", #change, why_ ? why_ : "taken"); \
	} while (0)

#endif
