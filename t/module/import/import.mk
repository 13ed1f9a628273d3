check_PROGRAMS += t/module/import/probe.t
t_module_import_probe_t_SOURCES = t/module/import/probe.c t/module/lib/neighbour.c t/module/lib/neighbour.h
t_module_import_probe_t_LDADD = $(LDADD) -lpthread
# The reader itself, file by file.
WXR_SOURCES = \
	modules/import/read/build.c \
	modules/import/read/build.h \
	modules/import/read/clean.c \
	modules/import/read/clean.h \
	modules/import/read/faults.c \
	modules/import/read/rules.c \
	modules/import/read/source.c \
	modules/import/read/source.h \
	modules/import/read/wxr.c \
	modules/import/read/wxr.h \
	t/module/lib/exports.c \
	t/module/lib/exports.h
WXR_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS) -I$(top_srcdir)/modules/import
WXR_LDADD = $(LDADD) $(XML_LIBS) $(CODINGS_LIBS)
check_PROGRAMS += t/module/import/wxr.t
t_module_import_wxr_t_SOURCES = t/module/import/wxr.c $(WXR_SOURCES)
t_module_import_wxr_t_CPPFLAGS = $(WXR_CPPFLAGS)
t_module_import_wxr_t_LDADD = $(WXR_LDADD)
check_PROGRAMS += t/module/import/hostile.t
t_module_import_hostile_t_SOURCES = t/module/import/hostile.c $(WXR_SOURCES)
t_module_import_hostile_t_CPPFLAGS = $(WXR_CPPFLAGS)
t_module_import_hostile_t_LDADD = $(WXR_LDADD)
check_PROGRAMS += t/module/import/large.t
t_module_import_large_t_SOURCES = t/module/import/large.c $(WXR_SOURCES)
t_module_import_large_t_CPPFLAGS = $(WXR_CPPFLAGS)
t_module_import_large_t_LDADD = $(WXR_LDADD)
check_PROGRAMS += t/module/import/prepare.t
t_module_import_prepare_t_SOURCES = t/module/import/prepare.c

check_PROGRAMS += t/module/import/copying.t
t_module_import_copying_t_SOURCES = t/module/import/copying.c t/module/lib/neighbour.c t/module/lib/neighbour.h
t_module_import_copying_t_LDADD = $(LDADD) -lpthread
check_PROGRAMS += t/module/import/rewriting.t
t_module_import_rewriting_t_SOURCES = t/module/import/rewriting.c t/module/lib/posts.c t/module/lib/posts.h
check_PROGRAMS += t/module/import/execute.t
t_module_import_execute_t_SOURCES = t/module/import/execute.c t/module/lib/imported.c t/module/lib/imported.h
check_PROGRAMS += t/module/import/moved.t
t_module_import_moved_t_SOURCES = t/module/import/moved.c t/module/lib/imported.c t/module/lib/imported.h
check_PROGRAMS += t/module/import/files.t
t_module_import_files_t_SOURCES = \
	t/module/import/files.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	$(WXR_SOURCES)
t_module_import_files_t_CPPFLAGS = $(WXR_CPPFLAGS)
t_module_import_files_t_LDADD = $(WXR_LDADD)
check_PROGRAMS += t/module/import/uploads.t
t_module_import_uploads_t_SOURCES = \
	t/module/import/uploads.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
check_PROGRAMS += t/module/import/killed.t
t_module_import_killed_t_SOURCES = t/module/import/killed.c t/module/lib/imported.c t/module/lib/imported.h
dist_check_SCRIPTS += t/cli/wxr.t
dist_check_SCRIPTS += t/cli/names.t
dist_check_SCRIPTS += t/cli/archives.t
dist_check_SCRIPTS += t/cli/nested.t
dist_check_SCRIPTS += t/cli/directories.t
dist_check_SCRIPTS += t/cli/tried.t
dist_check_SCRIPTS += t/cli/rows.t
dist_check_SCRIPTS += t/cli/outgoing.t
dist_check_SCRIPTS += t/cli/losses.t
check_PROGRAMS += t/module/import/refused.t
t_module_import_refused_t_SOURCES = t/module/import/refused.c t/module/lib/imported.c t/module/lib/imported.h
check_PROGRAMS += t/module/import/dryrun.t
t_module_import_dryrun_t_SOURCES = \
	t/module/import/dryrun.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
check_PROGRAMS += t/module/import/jobs.t
t_module_import_jobs_t_SOURCES = \
	t/module/import/jobs.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
check_PROGRAMS += t/module/import/named.t
t_module_import_named_t_SOURCES = \
	t/module/import/named.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
t_module_import_named_t_CPPFLAGS = $(WXR_CPPFLAGS)
t_module_import_named_t_LDADD = $(WXR_LDADD)
check_PROGRAMS += t/module/import/from.t
t_module_import_from_t_SOURCES = \
	t/module/import/from.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/leaving.c \
	t/module/lib/leaving.h
t_module_import_from_t_CPPFLAGS = $(WXR_CPPFLAGS)
t_module_import_from_t_LDADD = $(WXR_LDADD)
check_PROGRAMS += t/module/import/pictures.t
t_module_import_pictures_t_SOURCES = \
	t/module/import/pictures.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/leaving.c \
	t/module/lib/leaving.h \
	t/module/lib/neighbour.c \
	t/module/lib/neighbour.h \
	t/module/lib/pictures.c \
	t/module/lib/pictures.h
t_module_import_pictures_t_CPPFLAGS = $(WXR_CPPFLAGS)
t_module_import_pictures_t_LDADD = $(WXR_LDADD) -lpthread
check_PROGRAMS += t/module/import/dialects.t
t_module_import_dialects_t_SOURCES = \
	t/module/import/dialects.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/leaving.c \
	t/module/lib/leaving.h
t_module_import_dialects_t_CPPFLAGS = $(WXR_CPPFLAGS)
t_module_import_dialects_t_LDADD = $(WXR_LDADD)
check_LTLIBRARIES += t/plugins/diary/diary.la
t_plugins_diary_diary_la_SOURCES = t/plugins/diary.c
t_plugins_diary_diary_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_diary_diary_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_diary_diary_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_diary_diary_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/module/import/acf.t
t_module_import_acf_t_SOURCES = \
	t/module/import/acf.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
check_PROGRAMS += t/module/import/links.t
t_module_import_links_t_SOURCES = \
	t/module/import/links.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
check_PROGRAMS += t/module/import/relative.t
t_module_import_relative_t_SOURCES = \
	t/module/import/relative.c \
	modules/import/item/relative.c \
	modules/import/item/relative.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
t_module_import_relative_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/modules/import
check_PROGRAMS += t/module/import/renew.t
t_module_import_renew_t_SOURCES = \
	t/module/import/renew.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
check_PROGRAMS += t/module/import/own.t
t_module_import_own_t_SOURCES = t/module/import/own.c t/module/lib/imported.c t/module/lib/imported.h
check_PROGRAMS += t/module/import/exporter.t
t_module_import_exporter_t_SOURCES = \
	t/module/import/exporter.c \
	t/module/lib/neighbour.c \
	t/module/lib/neighbour.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
t_module_import_exporter_t_LDADD = $(LDADD) -lpthread
check_PROGRAMS += t/module/import/php.t
t_module_import_php_t_SOURCES = \
	t/module/import/php.c \
	modules/import/read/php.c \
	modules/import/read/php.h \
	t/module/lib/imported.c \
	t/module/lib/imported.h
t_module_import_php_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/modules/import
check_PROGRAMS += t/module/import/held.t
t_module_import_held_t_SOURCES = t/module/import/held.c t/module/lib/imported.c t/module/lib/imported.h
check_PROGRAMS += t/module/import/account.t
t_module_import_account_t_SOURCES = \
	t/module/import/account.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
check_PROGRAMS += t/module/import/wordpress.t
t_module_import_wordpress_t_SOURCES = \
	t/module/import/wordpress.c \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
check_PROGRAMS += t/module/import/systems.t
t_module_import_systems_t_LDADD = $(LDADD) $(XML_LIBS)
t_module_import_systems_t_SOURCES = \
	t/module/import/systems.c \
	t/module/lib/arrived.c \
	t/module/lib/arrived.h \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/leaving.c \
	t/module/lib/leaving.h
check_PROGRAMS += t/module/import/platforms.t
t_module_import_platforms_t_LDADD = $(LDADD) $(XML_LIBS)
t_module_import_platforms_t_SOURCES = \
	t/module/import/platforms.c \
	t/module/lib/arrived.c \
	t/module/lib/arrived.h \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/leaving.c \
	t/module/lib/leaving.h
EXTRA_DIST += \
	t/cli/figures \
	t/module/import/blogger/classic.xml \
	t/module/import/blogger/feed.atom \
	t/module/import/blogger/theme-layouts.xml \
	t/module/import/contentful/export.json \
	t/module/import/contentful/images.ctfassets.net/space1/asset1/tok/low.gif \
	t/module/import/directus/articles.json \
	t/module/import/directus/authors.json \
	t/module/import/directus/directus_files.json \
	t/module/import/directus/snapshot.json \
	t/module/import/directus/uploads/6f1d2a3b-0000-4000-8000-000000000001.gif \
	t/module/import/drupal/article-1.json \
	t/module/import/drupal/article-2.json \
	t/module/import/drupal/article-de.json \
	t/module/import/drupal/comments.json \
	t/module/import/drupal/denied.json \
	t/module/import/drupal/more.json \
	t/module/import/drupal/page.json \
	t/module/import/drupal/sites/default/files/2024-05/low.gif \
	t/module/import/medium/claps.html \
	t/module/import/medium/draft.html \
	t/module/import/medium/post.html \
	t/module/import/notion/boat.html \
	t/module/import/notion/boat.text \
	t/module/import/notion/database.html \
	t/module/import/notion/home.text \
	t/module/import/notion/page.html \
	t/module/import/notion/tasks.csv \
	t/module/import/notion/tasks_all.csv \
	t/module/import/notion/tides.text \
	t/module/import/notion/wall.text \
	t/module/import/payload/articles.jsonl \
	t/module/import/payload/authors.jsonl \
	t/module/import/payload/media.jsonl \
	t/module/import/payload/media/low.gif \
	t/module/import/payload3/articles.de.json \
	t/module/import/payload3/articles.en.json \
	t/module/import/payload3/media.json \
	t/module/import/payload3/media/pic-1.gif \
	t/module/import/payload3/media/pic-2.gif \
	t/module/import/payload3/media/pic-3.gif \
	t/module/import/payload3/media/pic-4.gif \
	t/module/import/payload3/media/pic-5.gif \
	t/module/import/payload3/media/pic-6.gif \
	t/module/import/payload3/media/pic-7.gif \
	t/module/import/payload3/media/pic-8.gif \
	t/module/import/payload3/pages.json \
	t/module/import/payload3/tags.json \
	t/module/import/payload3/users.json \
	t/module/import/sanity/data.ndjson \
	t/module/import/sanity/images/5f1c2e9d0a7b4c3e8d6f1a2b3c4d5e6f70819293-1x1.gif \
	t/module/import/sanity/images/aa1c2e9d0a7b4c3e8d6f1a2b3c4d5e6f70819293-1x1.gif \
	t/module/import/squarespace/export.xml \
	t/module/import/strapi/assets/uploads/high_1a2b3c.gif \
	t/module/import/strapi/assets/uploads/low_1a2b3c.gif \
	t/module/import/strapi/entities/entities_00001.jsonl \
	t/module/import/strapi/links/links_00001.jsonl \
	t/module/import/strapi/metadata.json \
	t/module/import/strapi/schemas/schemas_00001.jsonl \
	t/module/import/ghost/cards.json \
	t/module/import/substack/dunes.html \
	t/module/import/substack/email_list.csv \
	t/module/import/substack/posts.csv \
	t/module/import/substack/tides.html

# An import by the tool of assistants.
check_PROGRAMS += t/module/import/bytool.t
t_module_import_bytool_t_SOURCES = \
	t/module/import/bytool.c \
	$(POSTS) \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/lib/importing.c \
	t/module/lib/importing.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h

check_PROGRAMS += t/module/import/shown.t
t_module_import_shown_t_SOURCES = t/module/import/shown.c modules/import/item/shown.c modules/import/item/shown.h
t_module_import_shown_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/modules/import
