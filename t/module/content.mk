# Items: one by one, and in lists.
POSTS = t/module/posts.c t/module/posts.h
check_PROGRAMS += t/module/content.t
t_module_content_t_SOURCES = t/module/content.c $(POSTS)
check_PROGRAMS += t/module/numbered.t
t_module_numbered_t_SOURCES = t/module/numbered.c t/module/inside.c t/module/inside.h $(POSTS)
check_PROGRAMS += t/module/listing.t
t_module_listing_t_SOURCES = t/module/listing.c $(POSTS)
check_LTLIBRARIES += t/module/meddler/meddler.la
t_module_meddler_meddler_la_SOURCES = t/module/meddler.c
t_module_meddler_meddler_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_module_meddler_meddler_la_CFLAGS = $(MODULE_CFLAGS)
t_module_meddler_meddler_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_module_meddler_meddler_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/module/hooked.t
t_module_hooked_t_SOURCES = t/module/hooked.c t/module/inside.c $(POSTS)

dist_check_SCRIPTS += t/cli/import.t
dist_check_SCRIPTS += t/cli/transfer.t
check_PROGRAMS += t/module/change.t
t_module_change_t_SOURCES = t/module/change.c t/module/inside.c $(POSTS)
check_PROGRAMS += t/module/filters.t
t_module_filters_t_SOURCES = t/module/filters.c $(POSTS)
check_PROGRAMS += t/module/lifecycle.t
t_module_lifecycle_t_SOURCES = t/module/lifecycle.c t/module/inside.c t/module/inside.h $(POSTS)
check_PROGRAMS += t/module/schedule.t
t_module_schedule_t_SOURCES = t/module/schedule.c t/module/inside.c t/module/inside.h $(POSTS)
check_PROGRAMS += t/module/revisions.t
t_module_revisions_t_SOURCES = t/module/revisions.c t/module/inside.c t/module/inside.h $(POSTS)
check_PROGRAMS += t/module/model.t
t_module_model_t_SOURCES = t/module/model.c t/module/chance.h t/module/inside.c t/module/inside.h $(POSTS)
check_PROGRAMS += t/module/siblings.t
t_module_siblings_t_SOURCES = t/module/siblings.c t/module/chance.h $(POSTS)
check_LTLIBRARIES += t/module/witness/witness.la
t_module_witness_witness_la_SOURCES = t/module/witness.c
t_module_witness_witness_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_module_witness_witness_la_CFLAGS = $(MODULE_CFLAGS)
t_module_witness_witness_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_module_witness_witness_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/module/moments.t
t_module_moments_t_SOURCES = t/module/moments.c t/module/inside.c t/module/inside.h $(POSTS)
check_LTLIBRARIES += t/module/ledger/ledger.la
t_module_ledger_ledger_la_SOURCES = t/module/ledger.c
t_module_ledger_ledger_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_module_ledger_ledger_la_CFLAGS = $(MODULE_CFLAGS)
t_module_ledger_ledger_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_module_ledger_ledger_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/module/changed.t
t_module_changed_t_SOURCES = t/module/changed.c t/module/inside.c t/module/inside.h $(POSTS)
check_PROGRAMS += t/module/locales.t
t_module_locales_t_SOURCES = t/module/locales.c t/module/inside.c t/module/inside.h $(POSTS)
check_PROGRAMS += t/module/markdown.t
t_module_markdown_t_SOURCES = t/module/markdown.c t/module/blocks.c t/module/blocks.h \
	modules/content/markdown.c modules/content/markdown.h modules/content/markdown_block.c \
	modules/content/markdown_in.c modules/content/markdown_inline.c \
	modules/content/markdown_out.c
check_PROGRAMS += t/module/assist.t
t_module_assist_t_SOURCES = t/module/assist.c $(POSTS)
