# Items: one by one, and in lists.
check_PROGRAMS += t/module/content/merge.t
t_module_content_merge_t_SOURCES = t/module/content/merge.c t/module/lib/chance.h $(POSTS)
check_PROGRAMS += t/module/content/content.t
t_module_content_content_t_SOURCES = t/module/content/content.c $(POSTS)
check_PROGRAMS += t/module/content/totals.t
t_module_content_totals_t_SOURCES = \
	t/module/content/totals.c \
	t/module/lib/chance.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/many.t
t_module_content_many_t_SOURCES = \
	t/module/content/many.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/numbered.t
t_module_content_numbered_t_SOURCES = \
	t/module/content/numbered.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/linked.t
t_module_content_linked_t_SOURCES = \
	t/module/content/linked.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/listing.t
t_module_content_listing_t_SOURCES = t/module/content/listing.c $(POSTS)
check_LTLIBRARIES += t/plugins/meddler/meddler.la
t_plugins_meddler_meddler_la_SOURCES = t/plugins/meddler.c
t_plugins_meddler_meddler_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_meddler_meddler_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_meddler_meddler_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_meddler_meddler_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/module/content/hooked.t
t_module_content_hooked_t_SOURCES = t/module/content/hooked.c t/module/lib/inside.c $(POSTS)

dist_check_SCRIPTS += t/cli/import.t
dist_check_SCRIPTS += t/cli/transfer.t
check_PROGRAMS += t/module/content/change.t
t_module_content_change_t_SOURCES = t/module/content/change.c t/module/lib/inside.c $(POSTS)
check_PROGRAMS += t/module/content/filters.t
t_module_content_filters_t_SOURCES = \
	t/module/content/filters.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/lifecycle.t
t_module_content_lifecycle_t_SOURCES = \
	t/module/content/lifecycle.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/drafts.t
t_module_content_drafts_t_SOURCES = \
	t/module/content/drafts.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h
check_PROGRAMS += t/module/content/staged.t
t_module_content_staged_t_SOURCES = t/module/content/staged.c $(POSTS)
# Which items and menus refer to an item.
check_PROGRAMS += t/module/content/uses.t
t_module_content_uses_t_SOURCES = t/module/content/uses.c $(POSTS)
check_PROGRAMS += t/module/content/schedule.t
t_module_content_schedule_t_SOURCES = \
	t/module/content/schedule.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/ending.t
t_module_content_ending_t_SOURCES = \
	t/module/content/ending.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/revisions.t
t_module_content_revisions_t_SOURCES = \
	t/module/content/revisions.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/model.t
t_module_content_model_t_SOURCES = \
	t/module/content/model.c \
	t/module/lib/chance.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/siblings.t
t_module_content_siblings_t_SOURCES = t/module/content/siblings.c t/module/lib/chance.h $(POSTS)
check_LTLIBRARIES += t/plugins/witness/witness.la
t_plugins_witness_witness_la_SOURCES = t/plugins/witness.c
t_plugins_witness_witness_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_witness_witness_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_witness_witness_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_witness_witness_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/module/content/moments.t
t_module_content_moments_t_SOURCES = \
	t/module/content/moments.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_LTLIBRARIES += t/plugins/ledger/ledger.la
t_plugins_ledger_ledger_la_SOURCES = t/plugins/ledger.c
t_plugins_ledger_ledger_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_ledger_ledger_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_ledger_ledger_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_ledger_ledger_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/module/content/changed.t
t_module_content_changed_t_SOURCES = \
	t/module/content/changed.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/locales.t
t_module_content_locales_t_SOURCES = \
	t/module/content/locales.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/markdown.t
t_module_content_markdown_t_SOURCES = \
	t/module/content/markdown.c \
	t/module/lib/blocks.c \
	t/module/lib/blocks.h \
	modules/content/markdown/markdown.c \
	modules/content/markdown/markdown.h \
	modules/content/markdown/markdown_back.c \
	modules/content/markdown/markdown_bare.c \
	modules/content/markdown/markdown_block.c \
	modules/content/markdown/markdown_in.c \
	modules/content/markdown/markdown_inline.c \
	modules/content/markdown/markdown_line.c \
	modules/content/markdown/markdown_lost.c \
	modules/content/markdown/markdown_out.c \
	modules/content/markdown/markdown_source.c \
	modules/content/markdown/markdown_span.c \
	modules/content/markdown/markdown_reader.h \
	modules/content/markdown/markdown_table.c \
	modules/content/markdown/markdown_text.c \
	modules/content/markdown/markdown_tree.c
t_module_content_markdown_t_CPPFLAGS = $(AM_CPPFLAGS) $(MD4C_CFLAGS) $(GUMBO_CFLAGS) -I$(top_srcdir)/modules/content
t_module_content_markdown_t_LDADD = $(LDADD) $(MD4C_LIBS) $(GUMBO_LIBS)
check_PROGRAMS += t/module/content/examples.t
t_module_content_examples_t_SOURCES = \
	t/module/content/examples.c \
	modules/content/markdown/markdown.c \
	modules/content/markdown/markdown.h \
	modules/content/markdown/markdown_back.c \
	modules/content/markdown/markdown_bare.c \
	modules/content/markdown/markdown_block.c \
	modules/content/markdown/markdown_in.c \
	modules/content/markdown/markdown_inline.c \
	modules/content/markdown/markdown_line.c \
	modules/content/markdown/markdown_lost.c \
	modules/content/markdown/markdown_out.c \
	modules/content/markdown/markdown_source.c \
	modules/content/markdown/markdown_span.c \
	modules/content/markdown/markdown_reader.h \
	modules/content/markdown/markdown_table.c \
	modules/content/markdown/markdown_text.c \
	modules/content/markdown/markdown_tree.c
t_module_content_examples_t_CPPFLAGS = $(AM_CPPFLAGS) $(MD4C_CFLAGS) $(GUMBO_CFLAGS) -I$(top_srcdir)/modules/content
t_module_content_examples_t_LDADD = $(LDADD) $(MD4C_LIBS) $(GUMBO_LIBS)
check_PROGRAMS += t/module/content/assist.t
t_module_content_assist_t_SOURCES = t/module/content/assist.c $(POSTS)

check_PROGRAMS += t/module/content/poll.t
t_module_content_poll_t_SOURCES = t/module/content/poll.c $(SEARCHED)

check_LTLIBRARIES += t/plugins/visits/visits.la
t_plugins_visits_visits_la_SOURCES = t/plugins/visits.c
t_plugins_visits_visits_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_visits_visits_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_visits_visits_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_visits_visits_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/module/content/included.t
t_module_content_included_t_SOURCES = \
	t/module/content/included.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/usedby.t
t_module_content_usedby_t_SOURCES = t/module/content/usedby.c $(POSTS)
check_PROGRAMS += t/module/content/together.t
t_module_content_together_t_SOURCES = \
	t/module/content/together.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/seo.t
t_module_content_seo_t_SOURCES = \
	t/module/content/seo.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/neighbours.t
t_module_content_neighbours_t_SOURCES = t/module/content/neighbours.c $(POSTS)
check_PROGRAMS += t/module/content/asking.t
t_module_content_asking_t_SOURCES = \
	t/module/content/asking.c \
	t/module/lib/prose.h \
	t/module/lib/evaluate.h \
	t/module/lib/chance.h \
	$(POSTS)
check_PROGRAMS += t/module/content/relatives.t
t_module_content_relatives_t_SOURCES = \
	t/module/content/relatives.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
check_PROGRAMS += t/module/content/keys.t
t_module_content_keys_t_SOURCES = t/module/content/keys.c t/module/lib/chance.h $(POSTS)
check_PROGRAMS += t/module/content/addresses.t
t_module_content_addresses_t_SOURCES = t/module/content/addresses.c $(POSTS)
check_PROGRAMS += t/module/content/incomplete.t
t_module_content_incomplete_t_SOURCES = t/module/content/incomplete.c \
	t/module/lib/inside.c t/module/lib/inside.h $(POSTS)
