/* pages.h - pages and field widgets of modules, and blocks of the site, as the manifest lists
 * them. */
#ifndef MANIFEST_PAGES_H
#define MANIFEST_PAGES_H

#include <stet/module.h>

extern const struct stet_member manifest_page_shape[], manifest_widget_shape[],
    manifest_block_shape[];

/* Returns true for a module that is in use. */
bool module_works(const struct stet_module_info *);
/* Write the members `pages` (those that the caller may open) and `fieldWidgets`; nothing, if there
 * are none. */
void put_pages(
    struct stet_call *, struct stet_json *, const struct stet_module_info *const *, size_t count);
void put_widgets(
    struct stet_call *, struct stet_json *, const struct stet_module_info *const *, size_t count);
/* Writes the member `blocks`, the types of blocks that the site defines; nothing, if there are
 * none. */
STET_MUST enum stet_status put_blocks(struct stet_call *, struct stet_json *);

#endif
