/* relative.h - links of a content to its own site. */
#ifndef IMPORT_RELATIVE_H
#define IMPORT_RELATIVE_H

#include <stet/call.h>

/*
 * Makes links to the host of this address, with or without www., begin with "/", in all that a
 * value has: links of texts, addresses of buttons, href in HTML. Files below /wp-content/ stay, and
 * so does all if the address has no host.
 */
void relative_links(struct stet_call *, const char *site, json_t *blocks);
/* Returns the path of a page of the site without query and last slash; NULL: it is none, or the
 * home page. Owned by the call. */
const char *relative_page(struct stet_call *, const char *site, const char *url);

#endif
