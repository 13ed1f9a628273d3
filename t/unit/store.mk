check_PROGRAMS += t/unit/db.t
t_unit_db_t_SOURCES = t/unit/db.c t/unit/store.h
t_unit_db_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_db_t_CFLAGS = $(TEST_CFLAGS)
t_unit_db_t_LDADD = $(TEST_LDADD)
