sdkinclude_HEADERS += plugin-sdk/include/stet/search.h
module_LTLIBRARIES += modules/search.la
modules_search_la_SOURCES = \
	modules/search/beside.c \
	modules/search/build.c \
	modules/search/changes.c \
	modules/search/contains.c \
	modules/search/context.c \
	modules/search/doc.c \
	modules/search/failed.c \
	modules/search/fulltext/extension.c \
	modules/search/fulltext/extension.h \
	modules/search/fulltext/fulltext.c \
	modules/search/fulltext/fulltext.h \
	modules/search/fulltext/lengths.c \
	modules/search/fulltext/lengths.h \
	modules/search/fulltext/match.c \
	modules/search/fulltext/match.h \
	modules/search/fulltext/snippet.c \
	modules/search/find.c \
	modules/search/find.h \
	modules/search/feedback.c \
	modules/search/hits.c \
	modules/search/index.c \
	modules/search/learned.c \
	modules/search/manage.c \
	modules/search/missed.c \
	modules/search/pending.c \
	modules/search/place.c \
	modules/search/plan.c \
	modules/search/rank.c \
	modules/search/rank.h \
	modules/search/ranking.h \
	modules/search/words.c \
	modules/search/words.h \
	modules/search/query.c \
	modules/search/query.h \
	modules/search/read.c \
	modules/search/scope.c \
	modules/search/search.c \
	modules/search/search.h \
	modules/search/shard.c \
	modules/search/shown.c \
	modules/search/similar.c \
	modules/search/spell.c \
	modules/search/text.c \
	modules/search/typical.c
modules_search_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_search_la_CFLAGS = $(MODULE_CFLAGS)
modules_search_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_search_la_LIBADD = libstet.la $(DEPS_LIBS)
