module_LTLIBRARIES += modules/content.la
modules_content_la_SOURCES = \
	modules/content/content.c modules/content/item/byline.c modules/content/item/count.c modules/content/item/find.c modules/content/item/fit.c modules/content/item/hooks.c \
	modules/content/item/item.c modules/content/item/item.h modules/content/item/linked.h modules/content/item/many.c modules/content/item/many_count.c modules/content/item/newest.c modules/content/item/now.c modules/content/item/now.h modules/content/item/overdue.c \
	modules/content/item/plan.c modules/content/item/rev.c modules/content/item/revision.c modules/content/item/rights.c modules/content/item/row.c modules/content/item/seo.c modules/content/item/shape.c modules/content/item/slug.c modules/content/item/staged.c modules/content/item/stored.c \
	modules/content/item/taken.c modules/content/item/terms.c modules/content/item/values.c modules/content/item/values.h \
	modules/content/item/view.c modules/content/markdown/markdown.c \
	modules/content/markdown/markdown.h modules/content/markdown/markdown_block.c \
	modules/content/markdown/markdown_in.c modules/content/markdown/markdown_inline.c modules/content/markdown/markdown_line.c modules/content/markdown/markdown_lost.c \
	modules/content/markdown/markdown_out.c modules/content/move/doubt.c modules/content/move/import.c \
	modules/content/move/infer.c modules/content/move/move.h modules/content/move/transfer.c \
	modules/content/move/verify.c modules/content/read/authors.c modules/content/read/beside.c modules/content/read/compare.c modules/content/read/cond.c modules/content/read/facet.c \
	modules/content/read/contains.c modules/content/read/cut.c modules/content/read/fallback.c modules/content/read/fieldfilter.c modules/content/read/filter.c modules/content/read/get.c modules/content/read/grammar.c modules/content/read/has.c \
	modules/content/read/idmap.c modules/content/read/include.c modules/content/read/include.h modules/content/read/keys.c modules/content/read/keywalk.c modules/content/read/list.c modules/content/read/neighbour.c modules/content/read/operand.c modules/content/read/order.c modules/content/read/page.c \
	modules/content/read/path.c modules/content/read/preview.c modules/content/read/read.h modules/content/read/refer.c modules/content/read/ranked.c modules/content/read/related.c modules/content/read/terms.c \
	modules/content/read/walk.c modules/content/read/where.c modules/content/write/assign.c modules/content/write/duplicate.c \
	modules/content/write/history.c modules/content/write/patch.c \
	modules/content/write/publish.c modules/content/write/rewrite.c modules/content/write/save.c \
	modules/content/write/schedule.c modules/content/write/scheduler.c modules/content/write/translation.c \
	modules/content/write/trash.c modules/content/write/update.c modules/content/write/write.h
modules_content_la_CPPFLAGS = $(MODULE_CPPFLAGS) $(MD4C_CFLAGS) $(GUMBO_CFLAGS) -I$(top_srcdir)/modules/content
modules_content_la_CFLAGS = $(MODULE_CFLAGS)
modules_content_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_content_la_LIBADD = libstet.la $(DEPS_LIBS) $(MD4C_LIBS) $(GUMBO_LIBS)
