core_fulltext = \
	core/fulltext/fulltext.c \
	core/fulltext/fulltext.h \
	core/fulltext/lengths.c \
	core/fulltext/lengths.h \
	core/fulltext/match.c \
	core/fulltext/match.h \
	core/fulltext/snippet.c
