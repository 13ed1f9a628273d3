/* node.h - the daemons that use a site's database: a row of site_node for each. */
#ifndef CORE_WORK_NODE_H
#define CORE_WORK_NODE_H

/* Milliseconds, by the clock of the database: who was seen within this time is there. */
#define NODE_LIVES_MS 6000

struct site;

/* Sets the name of this daemon for people. Call it before the first site is opened. */
void node_name(const char *);
/* Returns it; "" in a process that is no daemon. */
const char *node_own_name(void);

#endif
