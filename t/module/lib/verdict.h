/* verdict.h - cmocka for the results of webauthn.h. */
#ifndef T_VERDICT_H
#define T_VERDICT_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "../../../modules/signin/webauthn.h"

#define assert_verdict(is, should)                                                \
	do {                                                                      \
		enum webauthn_verdict is_ = (is);                                 \
		if (is_ != (should))                                              \
			print_error("verdict: %s\n", webauthn_verdict_name(is_)); \
		assert_int_equal(is_, should);                                    \
	} while (0)

#endif
