check_PROGRAMS += t/unit/fulltext/fulltext.t
t_unit_fulltext_fulltext_t_SOURCES = t/unit/fulltext/fulltext.c
check_PROGRAMS += t/unit/fulltext/lengths.t
t_unit_fulltext_lengths_t_SOURCES = t/unit/fulltext/lengths.c
check_PROGRAMS += t/unit/fulltext/snippet.t
t_unit_fulltext_snippet_t_SOURCES = t/unit/fulltext/snippet.c
