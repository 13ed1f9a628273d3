# Measurements (t/bench/README). `bench` runs t/bench/run, bench-NAME t/bench/NAME.
BENCHES = bench-beside bench-files bench-import bench-lists bench-peers bench-postgresql bench-renditions bench-search \
	bench-usage bench-writes
BENCH_TOOLS = \
	t/bench/client \
	t/bench/floor \
	t/bench/floor_sql \
	t/bench/floor_write \
	t/bench/questions \
	t/bench/seed
EXTRA_PROGRAMS += $(BENCH_TOOLS)
.PHONY: bench soak $(BENCHES)
bench: all-am $(BENCH_TOOLS) plugin-sdk/examples/downloads/downloads.la
	@$(IN_TREES) $(SHELL) $(srcdir)/t/bench/run
bench-search: t/bench/varied/search.la
$(BENCHES): all-am $(BENCH_TOOLS)
	@$(IN_TREES) $(SHELL) $(srcdir)/t/bench/$(@:bench-%=%)
# Mixed load for SOAK_SECONDS, after which memory and descriptors are as before.
soak: all-am $(BENCH_TOOLS)
	@$(IN_TREES) $(SHELL) $(srcdir)/t/bench/soak

t_bench_client_SOURCES = t/bench/client.c
t_bench_client_LDADD = $(TLS_LIBS)
t_bench_floor_SOURCES = t/bench/floor.c
t_bench_floor_LDADD = $(LDADD) $(TLS_LIBS)
t_bench_floor_sql_SOURCES = t/bench/floor_sql.c
t_bench_floor_sql_LDADD = $(DEPS_LIBS)
t_bench_floor_write_SOURCES = t/bench/floor_write.c
t_bench_floor_write_LDADD = $(DEPS_LIBS)
t_bench_questions_SOURCES = t/bench/questions.c $(JUDGED)
t_bench_seed_SOURCES = t/bench/seed.c
t_bench_seed_LDADD = $(DEPS_LIBS)

# A build of the search module in which t/bench/questions can change the constants of the ranking.
EXTRA_LTLIBRARIES += t/bench/varied/search.la
t_bench_varied_search_la_SOURCES = t/bench/varied/ranking.c $(modules_search_la_SOURCES)
t_bench_varied_search_la_CPPFLAGS = $(modules_search_la_CPPFLAGS) -DSEARCH_RANKING_VARIES
t_bench_varied_search_la_CFLAGS = $(modules_search_la_CFLAGS)
t_bench_varied_search_la_LDFLAGS = $(modules_search_la_LDFLAGS) -rpath /nowhere
t_bench_varied_search_la_LIBADD = $(modules_search_la_LIBADD)
EXTRA_DIST += \
	t/bench/README \
	t/bench/beside \
	t/bench/compare \
	t/bench/files \
	t/bench/import \
	t/bench/lists \
	t/bench/measure \
	t/bench/peers \
	t/bench/peers-data.mjs \
	t/bench/peers-directus.mjs \
	t/bench/peers-emdash.mjs \
	t/bench/peers-pocketbase.mjs \
	t/bench/peers-stet.mjs \
	t/bench/peers.mjs \
	t/bench/postgresql \
	t/bench/renditions \
	t/bench/run \
	t/bench/search \
	t/bench/site \
	t/bench/soak \
	t/bench/texts \
	t/bench/usage \
	t/bench/writes
