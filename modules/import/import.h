/* import.h - what the files of the import module share. */
#ifndef IMPORT_H
#define IMPORT_H

#include <stet/module.h>

/* ---- probe.c: what is behind the address of a site ---- */

extern const struct stet_member probe_in[], probe_out[];
stet_handler import_probe;

/* ---- analyze.c: what is in an export ---- */

extern const struct stet_member analyze_out[];
stet_handler import_analyze;

/* ---- prepare.c: the collections and fields that an import needs ---- */

extern const struct stet_member prepare_in[], prepare_out[];
stet_handler import_prepare;

/* ---- execute.c: an export is imported ---- */

extern const struct stet_member execute_in[], execute_out[], execute_config[];
stet_handler import_execute;
/* The part "config" of a form; *out NULL: there is none. Fails if it is no JSON object. */
STET_MUST enum stet_status config_part(struct stet_call *, json_t **out);
/* {type: {collection, enabled}} and {login: user id or null}, or NULL; of the configuration. */
STET_MUST enum stet_status config_types(struct stet_call *, const json_t *);
STET_MUST enum stet_status config_authors(struct stet_call *, const json_t *);

/* ---- exporter.c, exporter_analyze.c: a site with an exporter ---- */

extern const struct stet_member exporter_in[], exporter_out[], exporter_analyze_in[],
    exporter_analyze_out[];
stet_handler exporter_execute, exporter_analyze;

/* ---- uploads.c: analysed files that are kept ---- */

#define SWEEP_JOB "sweep"
struct import_state {
	_Atomic int64_t next; /* when the job looks again */
};
int64_t sweep_due(struct stet_call *);
stet_handler sweep_run;

/* ---- copying.c: attachments are copied ---- */

extern const struct stet_member media_in[];
stet_handler import_media;

/* ---- rewrite.c: addresses of a source become those here ---- */

extern const struct stet_member rewrite_in[], rewrite_out[];
stet_handler import_rewrite;
struct rewritten {
	int64_t updated, urls, failed; /* items, addresses, items that stay as they were */
	const json_t *by_collection, *errors; /* owned by the call */
};
/* {old: new}, which was checked; collections NULL: all. */
STET_MUST enum stet_status rewrite_content(
    struct stet_call *, const json_t *map, const json_t *collections, struct rewritten *);

/* ---- command.c: `stet import wxr`, `stet import from` ---- */

int command_wxr(struct stet_call *, int argc, char **argv);
int command_from(struct stet_call *, int argc, char **argv);

/* ---- export/command.c: `stet export wxr` ---- */

int command_export_wxr(struct stet_call *, int argc, char **argv);

#endif
