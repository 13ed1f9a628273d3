/*
 * plans.t - what each route asks of the database: how many statements, and how SQLite goes about
 * each of them, beside what plans.expect says. UPDATE_PLANS=1 writes that file anew.
 */
#include "call/call.h"
#include "expected.h"
#include "people.h"
#include "plancheck.h"
#include "posts.h"
#include "site/site.h"
#include "taken.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the calls ---- */

struct row {
	const char *op, *note; /* note: which of several calls of it; REFUSED, BODILESS; or NULL */
	const char *args; /* ' for ", and $a for what was kept as a */
	const char *keep; /* "a=path": keep this text of the answer */
};

#define REFUSED "without mail" /* the call fails */
#define BODILESS "without a body" /* so does this */
#define PROOF "00000000000000000000000000000000"
#define ITEM "{'collection':'posts','id':'$a'}"
#define INFERRED ",'includeInferredBylines':true}"
#define LIST "{'collection':'posts'"
#define TERM "{'taxonomy':'genre'"
#define PAGES "{'collection':'pages'"
/* In the order in which they run: each finds what those before it left. */
static const struct row rows[] = {
	/* Definitions. */
	{ "collection_create", NULL, "{'slug':'extra','label':'Extra'}", NULL },
	{ "collection_update", NULL, "{'collection':'extra','label':'More'}", NULL },
	{ "field_create", NULL,
	    "{'collection':'extra','slug':'size','label':'S','type':'integer','indexed':true}",
	    NULL },
	{ "field_create", "second",
	    "{'collection':'extra','slug':'name','label':'N','type':'string'}", NULL },
	{ "field_update", NULL, "{'collection':'extra','fieldSlug':'size','label':'Size'}", NULL },
	{ "field_reorder", NULL, "{'collection':'extra','fieldSlugs':['name','size']}", NULL },
	{ "collection_reorder", NULL, "{'slugs':['extra','posts','pages']}", NULL },
	{ "schema_list_collections", NULL, "", NULL },
	{ "collection_get", NULL, "{'slug':'posts'}", NULL },
	{ "field_list", NULL, "{'collection':'posts'}", NULL },
	{ "field_get", NULL, "{'collection':'posts','fieldSlug':'title'}", NULL },
	{ "schema_get", NULL, "", NULL },
	{ "schema_delete_field", NULL, "{'collection':'extra','fieldSlug':'size'}", NULL },
	{ "content_create", "extra", "{'collection':'extra','data':{'name':'x'}}", NULL },
	{ "collection_delete", NULL, "{'slug':'extra','force':'true'}", NULL },
	/* The tool server: what its tools ask is below. */
	{ "mcp_get", NULL, "", NULL },
	{ "mcp_delete", NULL, "", NULL },
	/* Bylines. */
	{ "byline_create", NULL, "{'slug':'ann','displayName':'Ann'}", "b=id" },
	{ "byline_translate", NULL, "{'id':'$b','locale':'fr'}", "c=id" },
	{ "byline_update", NULL, "{'id':'$b','displayName':'Anne'}", NULL },
	{ "byline_get", NULL, "{'id':'$b'}", NULL },
	{ "byline_translations", NULL, "{'id':'$b'}", NULL },
	{ "byline_list", NULL, "", NULL },
	{ "byline_list", "by name", "{'search':'an'}", NULL },
	{ "admin_byline_create", NULL, "{'slug':'bob','displayName':'Bob'}", "d=id" },
	{ "admin_byline_translate", NULL, "{'id':'$d','locale':'fr'}", "e=id" },
	{ "admin_byline_update", NULL, "{'id':'$d','displayName':'Rob'}", NULL },
	{ "admin_byline_get", NULL, "{'id':'$d'}", NULL },
	{ "admin_byline_translations", NULL, "{'id':'$d'}", NULL },
	{ "admin_byline_list", NULL, "", NULL },
	{ "admin_byline_delete", NULL, "{'id':'$e'}", NULL },
	{ "taxonomy_create", NULL, "{'name':'genre','label':'G','hierarchical':true}", NULL },
	{ "taxonomy_update", NULL, "{'name':'genre','label':'H'}", NULL },
	{ "taxonomy_get", NULL, "{'name':'genre'}", NULL },
	{ "taxonomy_list", NULL, "", NULL },
	{ "taxonomy_translations", NULL, "{'name':'genre'}", NULL },
	{ "term_create", NULL, TERM ",'label':'Up'}", "h=term.id" },
	{ "term_create", "below another", TERM ",'label':'Low','parentId':'$h'}", NULL },
	{ "term_translate", NULL, TERM ",'termSlug':'low','locale':'fr'}", NULL },
	{ "taxonomy_update_term", "to the top", TERM ",'termSlug':'low','parentId':null}", NULL },
	{ "term_get", NULL, TERM ",'termSlug':'low'}", NULL },
	{ "term_translations", NULL, TERM ",'termSlug':'low'}", NULL },
	{ "term_tree", "of a locale", TERM ",'locale':'en','limit':1}", "j=nextCursor" },
	{ "term_tree", "from a cursor", TERM ",'locale':'en','cursor':'$j'}", NULL },
	{ "term_reorder", NULL, TERM ",'ids':['$h']}", NULL },
	/* Items. */
	{ "content_create", NULL, LIST ",'data':{'title':'One','year':1,'code':'c'}}",
	    "a=item.id" },
	{ "content_create", "with a byline",
	    LIST ",'slug':'by','data':{'near':'$a'},'bylines':[{'bylineId':'$b'}]}", NULL },
	{ "content_create", "translation",
	    LIST ",'slug':'un','locale':'fr','translationOf':'$a','data':{'title':'Un'}}", NULL },
	{ "content_add", NULL, LIST ",'data':{'title':'By the route'}}", NULL },
	{ "content_create", "numbered", LIST ",'data':{'title':'By the route'}}", NULL },
	{ "content_put", "in place", LIST ",'id':'$a','data':{'title':'First','code':'d'}}", NULL },
	{ "content_set_terms", NULL, LIST ",'id':'$a','taxonomy':'genre','termIds':['$h']}", NULL },
	{ "content_terms", NULL, LIST ",'id':'$a','taxonomy':'genre'}", NULL },
	{ "content_schedule_at", NULL, LIST ",'id':'$a','scheduledAt':'2036-01-01'}", NULL },
	{ "content_unschedule", NULL, ITEM, NULL },
	{ "content_publish_now", NULL, ITEM, NULL },
	{ "content_put", "staged", LIST ",'id':'$a','data':{'title':'Second'}}", NULL },
	{ "content_publish_now", "staged", ITEM, NULL },
	{ "content_put", "staged anew", LIST ",'id':'$a','data':{'title':'Third'}}", NULL },
	{ "content_put", "with a slug", LIST ",'id':'$a','slug':'ones'}", NULL },
	{ "content_read", NULL, LIST ",'id':'one'}", NULL },
	{ "content_read", "by a staged slug", LIST ",'id':'ones'}", NULL },
	{ "content_get", "by a staged slug of a locale",
	    LIST ",'id':'x','slug':'ones','locale':'en'}", NULL },
	{ "content_read", "with a byline", LIST ",'id':'by'}", NULL },
	{ "content_get", NULL, LIST ",'id':'$a','fields':'title,body','markdown':true}", "f=_rev" },
	{ "content_patch", NULL, LIST ",'id':'$a','_rev':'$f','set':{'title':'Fourth'}}", NULL },
	{ "content_compare", NULL, ITEM, NULL },
	{ "content_translations", NULL, ITEM, NULL },
	{ "content_preview_url", NULL, ITEM, NULL },
	{ "revisions", NULL, ITEM, "r=items[0].id" },
	{ "revision_get", NULL, "{'revisionId':'$r'}", NULL },
	{ "content_discard", NULL, ITEM, NULL },
	{ "collection_update", "with search",
	    "{'collection':'posts','supports':['drafts','revisions','scheduling','search']}",
	    NULL },
	{ "search_enable", NULL, "{'collection':'posts','enabled':true}", NULL },
	{ "search_rebuild", NULL, "{'collection':'posts'}", NULL },
	{ "search_stats", NULL, "", NULL },
	{ "search_query", NULL, "{'q':'even'}", NULL },
	{ "search_query", "nothing", "{'q':'nowhere'}", NULL },
	{ "search_query", "of a locale", "{'q':'even','locale':'en','limit':2}", NULL },
	{ "search_suggest", NULL, "{'q':'even'}", NULL },
	{ "search", NULL, "{'query':'even'}", NULL },
	{ "content_put", "searched, the text is another",
	    LIST ",'id':'by','data':{'summary':'New words'}}", NULL },
	{ "content_put", "searched, text as before", LIST ",'id':'by','data':{'year':5}}", NULL },
	{ "revisions", "discarded", ITEM, "r=items[0].id" },
	{ "revision_restore", NULL, "{'revisionId':'$r'}", NULL },
	{ "content_withdraw", NULL, ITEM, NULL },
	{ "content_copy", NULL, ITEM, NULL },
	{ "content_authors", NULL, LIST "}", NULL },
	/* Items that share a value with their translation. */
	{ "field_create", "shared",
	    PAGES ",'slug':'isbn','label':'I','type':'string','translatable':false}", NULL },
	{ "content_create", "that shares",
	    PAGES ",'slug':'x','status':'published','data':{'isbn':'1'}}", "x=item.id" },
	{ "content_create", "translation that shares",
	    PAGES ",'slug':'y','locale':'fr','translationOf':'$x','data':{}}", "y=item.id" },
	{ "content_put", "shared with a live one", PAGES ",'id':'$y','data':{'isbn':'2'}}", NULL },
	{ "content_publish_now", "shared", PAGES ",'id':'$y'}", NULL },
	{ "content_put", "shared later", PAGES ",'id':'$x','data':{'isbn':'3'}}", NULL },
	{ "content_publish_now", "shared with a draft", PAGES ",'id':'$x'}", NULL },
	{ "content_delete", "that shares", PAGES ",'id':'$y'}", NULL },
	{ "content_restore", "that shares", PAGES ",'id':'$y'}", NULL },
	{ "content_list", NULL, LIST "}", NULL },
	{ "content_list", "with what belongs to it",
	    LIST ",'include':'terms,bylines,author,media,translations,references(near:2)'}", NULL },
	{ "content_neighbors", NULL, ITEM, NULL },
	{ "content_related", NULL, ITEM, NULL },
	{ "content_list", "with the total", LIST ",'includeTotal':true}", NULL },
	{ "content_list", "of a status", LIST ",'status':'published'}", NULL },
	{ "content_list", "of an author", LIST ",'authorId':'01USERAUTHOR0000000000030'}", NULL },
	{ "content_list", "by title", LIST ",'orderBy':'title','limit':5}", NULL },
	{ "content_list", "of a field", LIST ",'fieldFilters':{'kind':'news'}}", NULL },
	{ "content_list", "or", LIST ",'fieldFilters':{'or':[{'kind':'x'},{'year':5}]}}", NULL },
	{ "content_list", "of a term", LIST ",'terms':'genre:up','includeTotal':true}", NULL },
	{ "content_list", "of two", LIST ",'terms':'genre:up;genre:low','locale':'fr'}", NULL },
	{ "content_list", "or else", LIST ",'locale':'fr','localeFallback':true}", NULL },
	{ "content_list", "of a byline", LIST ",'bylines':'$b,$d'}", NULL },
	{ "content_list", "of a byline or its user", LIST ",'bylines':'$b,$d'" INFERRED, NULL },
	{ "content_list", "without a byline", LIST ",'bylines':'none'" INFERRED, NULL },
	{ "content_list", "with a word", LIST ",'q':'even'}", NULL },
	{ "changes", NULL, "", "k=cursor" },
	{ "content_delete", NULL, ITEM, NULL },
	{ "changes", "since", "{'since':'$k'}", NULL },
	{ "content_list_trashed", NULL, LIST "}", NULL },
	{ "content_restore", NULL, ITEM, NULL },
	{ "content_delete", "once more", ITEM, NULL },
	{ "content_permanent_delete", NULL, ITEM, NULL },
	{ "taxonomy_delete_term", NULL, TERM ",'termSlug':'low'}", NULL },
	{ "taxonomy_delete", NULL, "{'name':'genre'}", NULL },
	{ "byline_delete", NULL, "{'id':'$c'}", NULL },
	{ "byline_delete", "the last of a person", "{'id':'$b'}", NULL },

	/* Menus. */
	{ "content_create", "published",
	    LIST ",'slug':'led','status':'published','data':{'title':'Led'}}", "a=item.id" },
	{ "term_create", "to lead to", "{'taxonomy':'tag','label':'Led'}", "g=term.id" },
	{ "menu_create", NULL, "{'name':'main','label':'Main'}", "m=id" },
	{ "menu_add", NULL, "{'name':'side','label':'Side'}", NULL },
	{ "menu_set_items", NULL,
	    "{'name':'main','items':[{'type':'custom','label':'A','customUrl':'/a'},"
	    "{'type':'post','label':'B','referenceId':'$a'},"
	    "{'type':'taxonomy','label':'T','referenceId':'$g'}]}",
	    NULL },
	{ "menu_item_create", NULL, "{'name':'main','type':'custom','label':'C'}", "n=id" },
	{ "menu_item_update", NULL, "{'name':'main','id':'$n','label':'D'}", NULL },
	{ "menu_reorder", NULL,
	    "{'name':'main','items':[{'id':'$n','parentId':null,'sortOrder':0}]}", NULL },
	{ "menu_get", NULL, "{'name':'main'}", NULL },
	{ "menu_get", "of a locale", "{'name':'main','locale':'en'}", NULL },
	{ "menu_item_delete", NULL, "{'name':'main','id':'$n'}", NULL },
	{ "menu_translate", NULL, "{'name':'main','locale':'fr'}", NULL },
	{ "menu_translations", NULL, "{'id':'$m'}", NULL },
	{ "menu_locales", NULL, "{'name':'main'}", NULL },
	{ "menu_list", NULL, "", NULL },
	{ "menu_list", "of a locale", "{'locale':'en'}", NULL },
	{ "menu_update", NULL, "{'name':'side','label':'S'}", NULL },
	{ "menu_put", NULL, "{'name':'side','label':'T'}", NULL },
	{ "menu_delete", NULL, "{'name':'side'}", NULL },

	/* Comments. */
	{ "collection_update", "with comments",
	    "{'collection':'posts','commentsEnabled':true,'commentsModeration':'none'}", NULL },
	{ "content_create", "to comment on", LIST ",'status':'published','data':{'title':'Talk'}}",
	    "a=item.id" },
	{ "comment_create", NULL,
	    "{'collection':'posts','contentId':'$a','body':'Yes','authorName':'A',"
	    "'authorEmail':'a@b.org'}",
	    "d=id" },
	{ "comment_create", "an answer",
	    "{'collection':'posts','contentId':'$a','body':'No','parentId':'$d',"
	    "'authorName':'A','authorEmail':'a@b.org'}",
	    "e=id" },
	{ "comment_threads", NULL, LIST ",'contentId':'$a','includeTotal':true}", NULL },
	{ "comment_threads", "answers", "{'collection':'posts','contentId':'$a','parentId':'$d'}",
	    NULL },
	{ "comment_list", NULL, "", NULL },
	{ "admin_comment_list", "of a collection", "{'collection':'posts','search':'y'}", NULL },
	{ "admin_comment_counts", NULL, "", NULL },
	{ "admin_comment_get", NULL, "{'id':'$d'}", NULL },
	{ "admin_comment_status", NULL, "{'id':'$d','status':'spam'}", NULL },
	{ "comment_moderate", NULL, "{'ids':['$d','$e'],'status':'trash'}", NULL },
	{ "admin_comment_bulk", NULL, "{'ids':['$d','$e'],'action':'approve'}", NULL },
	{ "comment_delete", NULL, "{'ids':['$e']}", NULL },
	{ "admin_comment_delete", NULL, "{'id':'$d'}", NULL },

	/* Settings. */
	{ "settings_write", NULL, "{'siteTitle':'S','seo':{'titleSeparator':'-'}}", NULL },
	{ "settings_read", NULL, "", NULL },
	{ "settings_update", NULL, "{'tagline':''}", NULL },
	{ "settings_get", NULL, "", NULL },
	{ "settings_robots", NULL, "", NULL },
	{ "collection_update", "public",
	    "{'collection':'posts','publicRead':true,'urlPattern':'/p/{slug}'}", NULL },
	{ "feed_atom", NULL, "{'collection':'posts'}", NULL },
	{ "feed_json", NULL, "{'collection':'posts'}", NULL },
	{ "sitemap", NULL, "", NULL },
	{ "sitemap_part", NULL, "{'collection':'posts','part':'1.xml'}", NULL },
	{ "settings_robots", "with a sitemap", "", NULL },
	{ "collection_update", "no more",
	    "{'collection':'posts','publicRead':false,'urlPattern':null}", NULL },
	{ "oauth_resource", NULL, "", NULL },
	{ "oauth_resource_mcp", NULL, "", NULL },
	{ "oauth_server", NULL, "", NULL },
	{ "oauth_server_root", NULL, "", NULL },
	{ "oauth_server_mcp", NULL, "", NULL },
	{ "oauth_server_below", NULL, "", NULL },
	{ "oauth_client_create", NULL,
	    "{'id':'c','name':'C','redirectUris':['https://a.example/']}", NULL },
	{ "oauth_client_update", NULL, "{'id':'c','name':'D'}", NULL },
	{ "oauth_client_get", NULL, "{'id':'c'}", NULL },
	{ "oauth_client_list", NULL, "", NULL },
	{ "oauth_client_delete", NULL, "{'id':'c'}", NULL },
	{ "oauth_device_page", NULL, "", NULL },
	{ "oauth_authorize", NULL, "", NULL },
	{ "oauth_apps", NULL, "", NULL },
	{ "grant_list", NULL, "", NULL },
	{ "grant_end", NULL, "{'id':'g'}", NULL },
	{ "openapi_get", NULL, "", NULL },
	{ "manifest_get", NULL, "", NULL },
	{ "manifest_collection", NULL, "{'collection':'posts'}", NULL },
	{ "admin_page", NULL, "", NULL },
	{ "admin_page_1", NULL, "{'a':'a'}", NULL },
	{ "admin_page_2", NULL, "{'a':'a','b':'b'}", NULL },
	{ "admin_page_3", NULL, "{'a':'a','b':'b','c':'c'}", NULL },
	{ "admin_page_4", NULL, "{'a':'a','b':'b','c':'c','d':'d'}", NULL },
	{ "admin_page_5", NULL, "{'a':'a','b':'b','c':'c','d':'d','e':'e'}", NULL },
	{ "admin_asset", BODILESS, "{'name':'none.js'}", NULL },

	/* Sections. */
	{ "section_create", NULL, "{'slug':'s','title':'S','content':[]}", NULL },
	{ "section_update", NULL, "{'section':'s','title':'T'}", NULL },
	{ "section_get", NULL, "{'section':'s'}", NULL },
	{ "section_list", NULL, "", NULL },
	{ "section_list", "of a source", "{'source':'user'}", NULL },
	{ "section_list", "with a word", "{'search':'t'}", NULL },
	{ "section_delete", NULL, "{'section':'s'}", NULL },

	/* A batch costs what is in it, and its savepoints. */
	{ "batch", NULL,
	    "{'calls':[{'op':'section_list'},{'op':'section_create','arguments':"
	    "{'slug':'t','title':'S','content':[]}}]}",
	    NULL },
	{ "batch", "of reads", "{'calls':[{'op':'section_list'}]}", NULL },

	/* Widgets. */
	{ "widget_area_create", NULL, "{'name':'side','label':'Side'}", NULL },
	{ "widget_create", NULL, "{'name':'side','type':'menu'}", "w=id" },
	{ "widget_update", NULL, "{'name':'side','id':'$w','title':'T'}", NULL },
	{ "widget_reorder", NULL, "{'name':'side','widgetIds':['$w']}", NULL },
	{ "widget_area_get", NULL, "{'name':'side'}", NULL },
	{ "widget_area_list", NULL, "", NULL },
	{ "widget_delete", NULL, "{'name':'side','id':'$w'}", NULL },
	{ "widget_area_delete", NULL, "{'name':'side'}", NULL },

	/* Webhooks. */
	{ "webhook_create", NULL, "{'url':'https://192.0.2.1/','collections':['pages']}",
	    "h=item.id" },
	{ "webhook_update", NULL, "{'id':'$h','enabled':true}", NULL },
	{ "webhook_rotate", NULL, "{'id':'$h'}", NULL },
	{ "webhook_get", NULL, "{'id':'$h'}", NULL },
	{ "webhook_list", NULL, "", NULL },
	{ "content_create", "that is told", PAGES ",'data':{}}", NULL },
	{ "content_create", "that nobody hears of", LIST ",'data':{'title':'T'}}", NULL },
	{ "webhook_deliveries", NULL, "{'id':'$h'}", "i=items[0].id" },
	{ "webhook_deliveries", "of a state", "{'id':'$h','state':'dead'}", NULL },
	{ "webhook_delivery", NULL, "{'id':'$h','deliveryId':'$i'}", NULL },
	{ "webhook_replay", NULL, "{'id':'$h'}", NULL },
	{ "webhook_replay", "of one", "{'id':'$h','deliveryId':'$i'}", NULL },
	{ "webhook_test", NULL, "{'id':'$h'}", NULL },
	{ "provider_create", NULL,
	    "{'id':'corp','label':'C','issuer':'https://192.0.2.1','clientId':'c'}", NULL },
	{ "provider_list", NULL, "", NULL },
	{ "provider_get", NULL, "{'id':'corp'}", NULL },
	{ "provider_update", NULL, "{'id':'corp','role':10}", NULL },
	{ "provider_public", NULL, "", NULL },
	{ "oidc_start", NULL, "{'provider':'corp'}", NULL },
	{ "oidc_callback", NULL, "{'provider':'corp'}", NULL },
	{ "account_list", NULL, "", NULL },
	{ "provider_delete", NULL, "{'id':'corp'}", NULL },
	{ "webhook_delete", NULL, "{'id':'$h'}", NULL },
	{ "import_job_create", BODILESS, "", NULL },
	{ "import_job_list", NULL, "", NULL },
	{ "import_job_get", NULL, "{'job':'j'}", NULL },
	{ "import_job_pause", NULL, "{'job':'j'}", NULL },
	{ "import_job_resume", NULL, "{'job':'j'}", NULL },
	{ "import_job_cancel", NULL, "{'job':'j'}", NULL },
	{ "import_job_events", NULL, "{'job':'j'}", NULL },
	{ "import_job_items", NULL, "{'job':'j','after':2,'outcome':'failed'}", NULL },
	{ "import_job_report", NULL, "{'job':'j','format':'csv'}", NULL },
	{ "import_job_redirects", NULL, "{'job':'j'}", NULL },
	{ "import_job_delete", NULL, "{'job':'j'}", NULL },
	{ "import_exporter_analyze", REFUSED, "{'url':'http://192.168.0.1','token':'a'}", NULL },
	{ "import_exporter_execute", REFUSED, "{'url':'a','token':'a','config':{}}", NULL },
	{ "import_analyze", BODILESS, "", NULL },
	{ "import_execute", BODILESS, "", NULL },
	{ "import_media", NULL,
	    "{'stream':false,'attachments':[{'id':1,'url':'http://192.168.0.1/a.png'}]}", NULL },
	{ "import_rewrite", NULL,
	    "{'urlMap':{'http://192.168.0.1/a.png':'/a.png'},'collections':['posts']}", NULL },
	{ "import_probe", REFUSED, "{'url':'http://192.168.0.1'}", NULL },
	{ "import_prepare", NULL,
	    "{'postTypes':[{'name':'page','collection':'pages','fields':[]}]}", NULL },
	/* The library. Bytes come over HTTP alone: to these calls none do. */
	{ "media_get_upload_url", NULL, "{'filename':'a.png','contentType':'image/png','size':1}",
	    "m=mediaId" },
	{ "media_post", BODILESS, "", NULL },
	{ "media_put", BODILESS, "{'id':'$m'}", NULL },
	{ "media_confirm_upload", BODILESS, "{'id':'$m'}", NULL },
	{ "media_folder_create", NULL, "{'name':'Photos'}", "n=item.id" },
	{ "media_folder_update", NULL, "{'id':'$n','name':'Pictures'}", NULL },
	{ "media_folder_get", NULL, "{'id':'$n'}", NULL },
	{ "media_folder_list", NULL, "", NULL },
	{ "media_folder_list", "by name", "{'q':'pic'}", NULL },
	{ "media_update", NULL, "{'id':'$m','alt':'A','folderId':'$n'}", NULL },
	{ "media_get", NULL, "{'id':'$m'}", NULL },
	{ "media_renditions", NULL, "", NULL },
	{ "media_renditions_clear", NULL, "", NULL },
	{ "media_list", NULL, "", NULL },
	{ "media_list", "of a folder", "{'folderId':'$n'}", NULL },
	{ "media_list", "of types", "{'mimeType':'image/,application/pdf'}", NULL },
	{ "media_list", "by number", "{'page':1}", NULL },
	{ "media_rendition", BODILESS, "{'id':'nothing','w':100}", NULL },
	{ "media_file", BODILESS, "{'key':'nothing'}", NULL },
	{ "media_folder_delete", NULL, "{'id':'$n'}", NULL },
	{ "media_delete", NULL, "{'id':'$m'}", NULL },
	{ "media_get_upload_url", "again",
	    "{'filename':'a.png','contentType':'image/png','size':1}", "m=mediaId" },
	{ "media_bulk_move", NULL, "{'ids':['$m'],'folderId':null}", NULL },
	{ "media_bulk_delete", NULL, "{'ids':['$m']}", NULL },
	{ "media_usage_activation", NULL, "", NULL },
	{ "media_usage_activate", NULL, "{'writersDrained':true}", NULL },
	{ "media_usage_advance", NULL, "", NULL },
	{ "media_usage_repair", NULL, "{'scope':'collection','collection':'pages'}", NULL },
	{ "media_usage_progress", NULL, "", NULL },
	{ "media_usage_verify", NULL, "", NULL },
	{ "media_usage_work", NULL, "{'collection':'posts'}", NULL },
	{ "media_usage_work_retry", BODILESS, "{'collectionId':'x','contentId':'y'}", NULL },
	{ "media_usage_deletions", NULL, "", NULL },
	{ "media_get_upload_url", "once more",
	    "{'filename':'a.png','contentType':'image/png','size':1}", "m=mediaId" },
	{ "media_get", "with its usage", "{'id':'$m','includeUsage':'1'}", NULL },
	{ "media_list", "with their usage", "{'includeUsage':'1'}", NULL },
	{ "media_usage_detail", NULL, "{'id':'$m'}", NULL },
	{ "media_usage_deletion_retry", BODILESS, "{'collectionId':'x'}", NULL },

	/* Users and plugins. */
	{ "me_get", NULL, "", NULL },
	{ "site_proof", NULL, "{'token':'" PROOF "'}", NULL },
	{ "me_update", NULL, "{'action':'dismissWelcome'}", NULL },
	{ "token_create", NULL, "{'name':'t','scopes':['content:read']}", "t=info.id" },
	{ "token_list", NULL, "", NULL },
	{ "token_revoke", NULL, "{'id':'$t'}", NULL },
	{ "delivery_token_create", NULL, "{'name':'t'}", "t=info.id" },
	{ "delivery_token_list", NULL, "", NULL },
	{ "delivery_token_revoke", NULL, "{'id':'$t'}", NULL },
	{ "setup_status", NULL, "", NULL },
	{ "page_account", NULL, "", NULL },
	{ "page_invite", NULL, "", NULL },
	{ "page_link", NULL, "", NULL },
	{ "page_script", NULL, "", NULL },
	{ "page_setup", NULL, "", NULL },
	{ "page_signin", NULL, "", NULL },
	{ "page_style", NULL, "", NULL },
	{ "recovery_codes_make", NULL, "", "c=codes[0]" },
	{ "recovery_codes_count", NULL, "", NULL },
	{ "recovery_code_use", NULL, "{'email':'one@example.org','code':'$c'}", NULL },
	{ "user_recover", NULL, "{'email':'one@example.org'}", "l=url" },
	{ "magic_link_use", NULL, "{'token':'$l'}", NULL },
	{ "user_recover", "again", "{'email':'one@example.org'}", "l=url" },
	{ "magic_link_verify", NULL, "{'token':'$l'}", NULL },
	{ "magic_link_send", REFUSED, "{'email':'one@example.org'}", NULL },
	{ "invite_create", NULL, "{'email':'two@example.org'}", "l=inviteUrl" },
	{ "invite_accept", NULL, "{'token':'$l'}", NULL },
	{ "invite_options", NULL, "{'token':'$l'}", NULL },
	{ "invite_complete", REFUSED, "{'token':'$l'}", NULL },
	{ "invite_list", NULL, "", "l=items[0].id" },
	{ "invite_withdraw", NULL, "{'id':'$l'}", NULL },
	{ "session_list", NULL, "", "l=items[0].id" },
	{ "session_end", NULL, "{'id':'$l'}", NULL },
	{ "session_end_others", NULL, "", NULL },
	{ "passkey_register_options", NULL, "", "l=options.challenge" },
	{ "passkey_register", NULL, "@create", NULL },
	{ "passkey_register_options", "again", "", "l=options.challenge" },
	{ "passkey_register", "again", "@create", NULL },
	{ "passkey_options", NULL, "", "l=options.challenge" },
	{ "passkey_verify", NULL, "@get", NULL },
	{ "passkey_list", NULL, "", "l=items[0].id" },
	{ "passkey_rename", NULL, "{'id':'$l','name':'Laptop'}", NULL },
	{ "passkey_delete", NULL, "{'id':'$l'}", NULL },
	{ "logout", NULL, "", NULL },
	{ "user_add", NULL, "{'email':'ann@example.org','role':'admin'}", "u=id" },
	{ "user_list", NULL, "", NULL },
	{ "user_show", NULL, "{'email':'ann@example.org'}", NULL },
	{ "user_rename", NULL, "{'email':'ann@example.org','name':'Ann'}", NULL },
	{ "admin_user_list", NULL, "", NULL },
	{ "admin_user_list", "of a role", "{'role':50,'limit':1}", NULL },
	{ "admin_user_list", "by name", "{'search':'an'}", NULL },
	{ "admin_user_get", NULL, "{'id':'$u'}", NULL },
	{ "admin_user_update", NULL, "{'id':'$u','role':40}", NULL },
	{ "admin_user_disable", NULL, "{'id':'$u'}", NULL },
	{ "admin_user_enable", NULL, "{'id':'$u'}", NULL },
	{ "plugin_list", NULL, "", NULL },
	{ "plugin_get", NULL, "{'id':'content'}", NULL },
	{ "plugin_settings_get", NULL, "{'id':'content'}", NULL },
	{ "plugin_settings_put", NULL, "{'id':'content','values':{'revisionsKept':20}}", NULL },
	{ "plugin_disable", NULL, "{'id':'bylines'}", NULL },
	{ "plugin_enable", NULL, "{'id':'bylines'}", NULL },

	/* The audit log, which is off until here: a record is the same for every write. */
	{ "plugin_enable", "audit", "{'id':'audit'}", NULL },
	{ "plugin_enable", "notes", "{'id':'notes'}", NULL },
	{ "plugin_mcp_put", NULL, "{'id':'notes','enabled':true}", NULL },
	{ "plugin_list", "with a stranger", "", NULL },
	{ "content_create", "with a record", LIST ",'data':{'title':'Recorded'}}", NULL },
	{ "audit_list", NULL, "", NULL },
	{ "audit_list", "of an actor", "{'actor':'01USERADMIN000000000000050'}", NULL },
	{ "audit_list", "of an op", "{'op':'content_create','since':'2026-01-01'}", NULL },
	{ "audit_list", "of a subject", "{'subject':'$a','until':'2036-01-01'}", NULL },
};

/* On a site without an administrator. */
static const struct row setup_rows[] = {
	{ "setup_link", NULL, "", "s=url" },
	{ "setup_site", NULL, "{'token':'$s','title':'Mine','includeContent':false}", NULL },
	{ "setup_admin", NULL, "{'token':'$s','email':'first@example.org'}",
	    "l=options.challenge" },
	{ "setup_admin_verify", NULL, "@founder", NULL },
};

/* The same as somebody who reads no drafts: other statements. $k is of the rows above. */
static const struct row public_rows[] = {
	{ "changes", "in public", "", NULL },
	{ "changes", "in public, since", "{'since':'$k'}", NULL },
	{ "content_list", "in public", LIST "}", NULL },
};

/* ---- statements and plans, of the reader and the writer together ---- */

static bool
fails(const struct row *row)
{
	return row->note != NULL &&
	       (strcmp(row->note, REFUSED) == 0 || strcmp(row->note, BODILESS) == 0);
}

static void
call_row(struct harness *h, const struct harness_user *user, const struct row *row, FILE *to)
{
	char *args = taken_arguments(user, row->args);
	struct outcome *o;
	uint64_t before;

	assert_ok(ask(h, user, "GET /content/pages")); /* the definitions are read */
	before = taken_begin(h);
	o = harness_op(h, user, row->op, "%s", args);
	if (*o->code != '\0' && !fails(row))
		fail_msg("%s %s: %s", row->op, args, o->text);
	if (row->keep != NULL)
		taken_keep(o, row->op, row->keep);
	taken_end(h, before, row->op, row->note, to);
	free(args);
}

/* ---- tests ---- */

static void
every_call_has_the_plans_that_are_expected(void **state)
{
	struct harness *h = *state;
	struct person person;
	struct harness_user user[1] = { { .role = 50, .session = true } };
	static const struct expected expected = {
		"plans.expect", "UPDATE_PLANS",
		"# Calls, the number of their statements, and each one's plan; made by plans.t with\n"
		"# UPDATE_PLANS=1. Read what changes: a scan or a sort is a list that grows slow.\n"
	};
	char *got = NULL;
	size_t size;
	FILE *to = open_memstream(&got, &size);
	int bad;

	assert_non_null(to);
	for (size_t i = 0; i < COUNT(setup_rows); i++)
		call_row(h, admin, &setup_rows[i], to);
	person = person_make(h, "one@example.org", "admin", "[\"admin\"]", NULL);
	user->id = person.id;
	fill(h);
	plancheck_leave_proof(h, PROOF);
	plancheck_leave_grant(h, person.id);
	plancheck_leave_import(h, person.id);
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"audit\"}"));
	for (size_t i = 0; i < COUNT(rows); i++)
		call_row(h, user, &rows[i], to);
	for (size_t i = 0; i < COUNT(public_rows); i++)
		call_row(h, subscriber, &public_rows[i], to);
	taken_with_token(h, person.token, to);
	assert_int_equal(fclose(to), 0);
	bad = plancheck_bad(got);
	expected_compare(&expected, got);
	plancheck_excuses(got);
	free(got);
	if (bad > 0)
		fail_msg("%d scans or sorts without a reason in plans.c", bad);
}

static void
every_route_is_called(void **state)
{
	const struct generation *gen = harness_site(*state)->current;

	for (const struct op *op = gen->op; op < gen->op + gen->op_count; op++) {
		/* The first needs a code that a raw op makes, the others a provider that answers.
		 */
		bool found = op->route == NULL || (op->row.flags & STET_RAW) != 0 ||
			     strcmp(op->name, "oauth_device_authorize") == 0 ||
			     strcmp(op->name, "account_link") == 0 ||
			     strcmp(op->name, "account_remove") == 0;

		for (size_t i = 0; i < COUNT(rows); i++)
			found |= strcmp(rows[i].op, op->name) == 0;
		for (size_t i = 0; i < COUNT(setup_rows); i++)
			found |= strcmp(setup_rows[i].op, op->name) == 0;
		if (!found)
			fail_msg("%s has no call in plans.c", op->name);
	}
}

static int
traced(void **state)
{
	int status;

	setenv("STET_SQL_TRACE", "1", 1);
	posts_plugins = "t/plugins/good/.libs";
	status = posts_begin(state);
	posts_plugins = NULL;
	return status;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    every_call_has_the_plans_that_are_expected, traced, posts_end),
		check(every_route_is_called),
		cmocka_unit_test(plancheck_selftest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
