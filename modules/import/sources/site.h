/*
 * site.h - a directory of Markdown as a whole: which documents it has, where they lie, in which
 * locales, and what else is there. All of it is found by names before a document is read.
 */
#ifndef IMPORT_SITE_H
#define IMPORT_SITE_H

#include "sources/sources.h"

#define SITE_MARKDOWN " .md .markdown .mdx "
#define SITE_HTML " .html .htm " /* documents if they have front matter */
#define SITE_ENDS SITE_MARKDOWN SITE_HTML
#define SITE_CODE 16 /* bytes of a locale */
#define SITE_DOCUMENTS_MAX 200000 /* documents that are remembered */

/* Owned by the call that has found it. */
struct site {
	struct stet_source *source;
	struct stet_call *call;
	json_t *names; /* [name]: of documents, in their order */
	json_t *wanted; /* {name: true}: the documents that are content */
	json_t *settings; /* {name: true}: files with settings of the program */
	bool found, hugo, astro, jekyll; /* there are settings; they are of one of these */
	json_t *html; /* {name: true}: files of HTML, which may be documents */
	json_t *data; /* {name: true}: files of data */
	json_t *others; /* {ending: {count, names: [name]}}: documents that are not read */
	json_t *locales; /* {locale in lower case: true} */
	json_t *roots; /* {directory with "/" at its end: its locale, or ""}; of the settings */
	json_t *permalinks; /* {first directory, or "" for posts: pattern of addresses} */
	json_t *menus; /* [{menu, locale, list}] of the settings */
	json_t *sidebars; /* {name: true}: files with sidebars of Docusaurus, and labels of them */
	json_t *categories; /* {directory with "/" at its end: {label, position}}, of such files */
	json_t
	    *shown; /* {directory with "/" at its end: {menu, parent}}: its documents are entries */
	json_t *navbars; /* {name: true}: files with the navigation bar of Docusaurus */
	json_t *entries; /* [{menu, locale, entry, item}] of both; without locale: the first one */
	json_t *ids; /* {last part of a document's name, or path of its date: its id} */
	json_t *pages; /* {path, locale: id}: by the path that translations share */
	json_t *types; /* {collection of documents: true} */
	json_t *slugs; /* {type, locale, slug: number of documents} */
	char locale[SITE_CODE]; /* of documents whose names have none; "": that of the import */
	const char
	    *base; /* the directory of the program's settings, with "/" at its end; "": top */
	const char *content; /* the directory outside of which nothing is content; "": none */
	json_t *files; /* {name: true}: pictures and other files for the library */
	bool full; /* there are more documents than are remembered */
};

/* Finds all of it. Fails with VALIDATION_ERROR if there is no document. */
STET_MUST enum stet_status site_find(struct stet_source *, struct site **);

/* What the name of a document says. Texts are owned by the call. */
struct place {
	const char *id; /* the name without its ending */
	const char *path; /* without the directory of content, locale and ending: "docs/guide/a" */
	const char
	    *page; /* the same, of an index the directory: "docs/guide" of "docs/guide/index" */
	const char *locale; /* as in the source; "": none */
	const char *type; /* "post", "page", or the name of the directory */
	const char *title; /* the last part of `page`, without a date */
	const char *slug; /* of the title, with the directories below that of the type */
	const char
	    *parent; /* the page of the directory around it, if it has the same type; or NULL */
	const char *categories; /* of Jekyll: the directories above _posts; "": none */
	const char *date; /* before the name, as in Jekyll; or NULL */
	bool draft; /* it lies in _drafts */
};

void site_place(const struct site *, struct stet_call *, const char *name, struct place *);
/* Sets the parent, and returns the slug below it; NULL: it has none. */
const char *site_above(const struct site *, struct stet_call *, struct place *);
/* Chooses the slug: below a page, that of the name, if no other document has it. */
void site_choose_slug(const struct site *, struct stet_call *, struct place *);
/* Notes a document under its page. */
void site_note_page(const struct site *, struct stet_call *, const struct place *);
/* Returns the id of the document that has this page in this locale; NULL: there is none. */
const char *site_page(
    const struct site *, struct stet_call *, const char *page, const char *locale);
/* Has it in any locale? */
bool site_has_page(const struct site *, struct stet_call *, const char *page);
/* Writes a locale in lower case, with "-". Returns false if it is too long, or empty. */
bool site_code(const char *part, size_t len, char out[SITE_CODE]);
/* Returns true if a part of a name is a locale of the site. */
bool site_is_locale(const struct site *, const char *part, size_t len);
/* Returns a locale as this site spells it; "" for "", NULL: it does not have it. */
const char *site_here(const struct site *, const char *locale);
/* Adds locales, with commas or blanks between them. */
void site_add_locales(struct site *, const char *list);

/* Returns a path that is relative to a document, from the root; NULL: it leads out of the root. */
const char *site_resolved(struct stet_call *, const char *name, const char *path);
/* Returns the address (GIVEN_FILE) of the file to which a path of a document leads. NULL: it is an
 * address or a fragment, or too long. */
const char *site_file(const struct site *, struct stet_call *, const char *name, const char *path);

/* A link of a document. */
enum site_link {
	SITE_LINK_OTHER, /* it leads out of the site, into the document, or may lead anywhere */
	SITE_LINK_FOUND, /* to a document; its address here is *to (GIVEN_ITEM) */
	SITE_LINK_LOST /* to a document that is not here */
};
enum site_link site_link(const struct site *, struct stet_call *, const char *name,
    const struct place *, const char *href, const char **to);
/* Returns the id of the document at an address of the site; NULL: there is none. */
const char *site_target(
    const struct site *, struct stet_call *, const char *locale, const char *address);
/* Notes a document under the names by which links may know it. */
void site_note_names(const struct site *, struct stet_call *, const struct place *);

void site_add_document(struct site *, const char *name);
/* Adds those files of HTML that are documents. */
STET_MUST enum stet_status site_choose_html(struct site *);

/* Notes a document of another format by the ending of its name. */
void site_note_other(struct site *, const char *name);
/* Tells what is there and not read: documents of other formats, and those that are no content. */
STET_MUST enum stet_status site_tell(const struct site *);

/* Adds the locales that a document has in its name, if the pages that are noted have its
 * translations. */
void site_guess_locales(struct site *, struct stet_call *, const char *name);
/* An entry of a menu. */
struct site_entry {
	const char *menu, *locale;
	const json_t *entry; /* {name, url, pageRef, weight, parent, identifier}; or NULL */
	const char *item; /* the document to which it leads; NULL: the entry says it */
	const char *title, *url; /* of that */
};
STET_MUST enum stet_status site_put_entry(const struct site *, const struct site_entry *);
/* Hands on the menus of the settings. */
STET_MUST enum stet_status site_put_menus(const struct site *);
/* Hands on the rows of files of data, and tells of others. */
STET_MUST enum stet_status site_put_data(struct site *);
/* A file of data. */
struct site_data {
	const char *name; /* of the file */
	const char *path; /* below the directory of data, without locale and ending */
	const char *locale; /* "": none */
	const json_t *value;
};
/* Returns true if it has menus: by its name, and because all its entries have a label and lead
 * somewhere. site_put_nav hands them on. */
bool site_is_nav(const struct site *, const struct site_data *);
STET_MUST enum stet_status site_put_nav(const struct site *, const struct site_data *);
bool site_is_data(const struct site *, const char *name);

/* Is it a file of sidebars, or the label of a directory in them? */
bool site_is_sidebar(const char *name);
/* Reads the sidebars. Call it when pages are noted. */
STET_MUST enum stet_status site_sidebars(struct site *);
/* Is it a file with the navigation bar of Docusaurus, or its labels in a language? */
bool site_is_navbar(const char *name);
/* Reads them. Call it when the sidebars are read, to whose first documents entries lead. */
STET_MUST enum stet_status site_navbar(struct site *);
/* Returns the directory of a document that is an entry of a sidebar, *bar: {menu, parent}; NULL:
 * it is none. */
const char *site_shown(const struct site *, const char *name, const json_t **bar);
/* Returns the place among others that a document or a directory says, or a number before its name;
 * 0: none. */
json_int_t site_position(const json_t *given, const char *name);

/* Reads the settings of the program: languages, directories, menus. */
STET_MUST enum stet_status site_settings(struct site *);

#endif
