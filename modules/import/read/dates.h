/* dates.h - dates and times as sources write them. */
#ifndef IMPORT_DATES_H
#define IMPORT_DATES_H

#include <stet/call.h>

/* Orders of day and month in a date of three numbers with the year at its end; bits. */
#define DATES_DMY 1u
#define DATES_MDY 2u
#define DATES_ANY (DATES_DMY | DATES_MDY)
#define DATES_SURE 4u /* set beside both orders: they make one date */

/*
 * Returns the orders in which the text is a date: ISO 8601, 2013/7/13, 13.7.2013, 13/7/2013, "13
 * July 2013", "July 13, 2013" or RFC 2822, each with or without a time. Only dates such as 3/4/2013
 * depend on the order; the others have DATES_SURE. 0: it is no date; numbers alone are none.
 */
unsigned dates_orders(struct stet_call *, const char *text);
/*
 * Reads a text that is known to be a time: what dates_orders takes, and the numbers 20130713 and
 * seconds or milliseconds since 1970. `order`: DATES_DMY or DATES_MDY, or DATES_ANY if it is not
 * known. Returns the time as ISO 8601, owned by the call; NULL: it is no time, or one in each
 * order.
 */
const char *dates_read(struct stet_call *, const char *text, unsigned order);

#endif
