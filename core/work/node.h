/* node.h - the daemons that use a site's database: a row of site_node for each. */
#ifndef CORE_WORK_NODE_H
#define CORE_WORK_NODE_H

struct site;

/* Sets the name of this daemon for people. Call it before the first site is opened. */
void node_name(const char *);

/* How many daemons use the site's database at this moment, as the database says, this one included.
 * 0: the database cannot be read. For sites that others may use, too; 1 for others. */
unsigned node_live(struct site *);

#endif
