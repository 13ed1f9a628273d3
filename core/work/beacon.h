/* beacon.h - the beacons of a site (<stet/beacon.h>). */
#ifndef CORE_WORK_BEACON_H
#define CORE_WORK_BEACON_H

struct site;

void beacon_free(struct site *); /* the site closes */

#endif
