# Search: what is found, and by whom; how it is indexed.
check_PROGRAMS += t/module/search/search.t
t_module_search_search_t_SOURCES = t/module/search/search.c $(SEARCHED)

check_PROGRAMS += t/module/search/indexes.t
t_module_search_indexes_t_SOURCES = t/module/search/indexes.c $(SEARCHED)

check_PROGRAMS += t/module/search/questions.t
t_module_search_questions_t_SOURCES = t/module/search/questions.c $(JUDGED)

check_PROGRAMS += t/module/search/lengths.t
t_module_search_lengths_t_SOURCES = t/module/search/lengths.c $(SEARCHED)

check_PROGRAMS += t/module/search/similar.t
t_module_search_similar_t_SOURCES = t/module/search/similar.c $(SEARCHED)

check_PROGRAMS += t/module/search/context.t
t_module_search_context_t_SOURCES = t/module/search/context.c $(SEARCHED)

check_PROGRAMS += t/module/search/inlist.t
t_module_search_inlist_t_SOURCES = t/module/search/inlist.c $(SEARCHED)

check_PROGRAMS += t/module/search/spelling.t
t_module_search_spelling_t_SOURCES = t/module/search/spelling.c $(SEARCHED)

check_PROGRAMS += t/module/search/pending.t
t_module_search_pending_t_SOURCES = t/module/search/pending.c $(SEARCHED)

check_PROGRAMS += t/module/search/snippets.t
t_module_search_snippets_t_SOURCES = t/module/search/snippets.c $(SEARCHED)

check_PROGRAMS += t/module/search/contains.t
t_module_search_contains_t_SOURCES = t/module/search/contains.c $(SEARCHED)

check_PROGRAMS += t/module/search/beside.t
t_module_search_beside_t_SOURCES = t/module/search/beside.c $(SEARCHED)

check_PROGRAMS += t/module/search/folded.t
t_module_search_folded_t_SOURCES = t/module/search/folded.c $(SEARCHED)

check_PROGRAMS += t/module/search/shown.t
t_module_search_shown_t_SOURCES = t/module/search/shown.c $(SEARCHED)

# The SQL functions, without a site.
FULLTEXT_SOURCES = \
	modules/search/fulltext/extension.c \
	modules/search/fulltext/fulltext.c \
	modules/search/fulltext/lengths.c \
	modules/search/fulltext/match.c \
	modules/search/fulltext/snippet.c
check_PROGRAMS += t/module/search/fulltext/fulltext.t
t_module_search_fulltext_fulltext_t_SOURCES = t/module/search/fulltext/fulltext.c $(FULLTEXT_SOURCES)
check_PROGRAMS += t/module/search/fulltext/lengths.t
t_module_search_fulltext_lengths_t_SOURCES = t/module/search/fulltext/lengths.c $(FULLTEXT_SOURCES)
check_PROGRAMS += t/module/search/fulltext/snippet.t
t_module_search_fulltext_snippet_t_SOURCES = t/module/search/fulltext/snippet.c $(FULLTEXT_SOURCES)
