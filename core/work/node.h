/* node.h - the daemons that use a site's database: a row of site_node for each. */
#ifndef CORE_WORK_NODE_H
#define CORE_WORK_NODE_H

struct site;

/* Sets the name of this daemon for people. Call it before the first site is opened. */
void node_name(const char *);

#endif
