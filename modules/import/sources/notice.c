/* notice.c - tells what an importer cannot read. */
#include "sources/sources.h"

enum stet_status
source_notice(struct stet_source *source, const char *place, bool skipped, const char *text)
{
	return stet_source_put(source, STET_SOURCE_NOTICE,
	    json_pack("{ss ss sb}", "place", place, "text", text, "skipped", skipped));
}
