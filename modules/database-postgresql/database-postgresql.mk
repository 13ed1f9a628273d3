# A driver of databases is built with core/db/driver.h of the same release, as no other module is.
if HAVE_POSTGRESQL
module_LTLIBRARIES += modules/database-postgresql.la
endif
modules_database_postgresql_la_SOURCES = \
	modules/database-postgresql/database-postgresql.c \
	modules/database-postgresql/pgcare.c \
	modules/database-postgresql/pgcare.h \
	modules/database-postgresql/pgcarry.c \
	modules/database-postgresql/pgcarry.h \
	modules/database-postgresql/pgcheck.c \
	modules/database-postgresql/pgcheck.h \
	modules/database-postgresql/pgcode.c \
	modules/database-postgresql/pgcode.h \
	modules/database-postgresql/pgconn.c \
	modules/database-postgresql/pgconn.h \
	modules/database-postgresql/pgcopy.c \
	modules/database-postgresql/pgcopy.h \
	modules/database-postgresql/pgdial.c \
	modules/database-postgresql/pgdial.h \
	modules/database-postgresql/pgend.c \
	modules/database-postgresql/pgend.h \
	modules/database-postgresql/pgfacts.c \
	modules/database-postgresql/pgfacts.h \
	modules/database-postgresql/pghang.c \
	modules/database-postgresql/pghang.h \
	modules/database-postgresql/pghosts.c \
	modules/database-postgresql/pghosts.h \
	modules/database-postgresql/pgkeep.c \
	modules/database-postgresql/pgkeep.h \
	modules/database-postgresql/pglimit.c \
	modules/database-postgresql/pglimit.h \
	modules/database-postgresql/pgindex.c \
	modules/database-postgresql/pgindex.h \
	modules/database-postgresql/pgplace.c \
	modules/database-postgresql/pgplace.h \
	modules/database-postgresql/pgpool.c \
	modules/database-postgresql/pgpool.h \
	modules/database-postgresql/pgring.c \
	modules/database-postgresql/pgring.h \
	modules/database-postgresql/pgrows.c \
	modules/database-postgresql/pgrows.h \
	modules/database-postgresql/pgsite.c \
	modules/database-postgresql/pgsite.h \
	modules/database-postgresql/pgstmt.c \
	modules/database-postgresql/pgstmt.h \
	modules/database-postgresql/pgtext.c \
	modules/database-postgresql/pgtext.h \
	modules/database-postgresql/pgtx.c \
	modules/database-postgresql/pgtx.h \
	modules/database-postgresql/pgvalue.c \
	modules/database-postgresql/pgvalue.h \
	modules/database-postgresql/pgwait.c \
	modules/database-postgresql/pgwait.h
modules_database_postgresql_la_CPPFLAGS = $(CORE_CPPFLAGS)
modules_database_postgresql_la_CFLAGS = $(MODULE_CFLAGS) $(LIBPQ_CFLAGS)
modules_database_postgresql_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_database_postgresql_la_LIBADD = libstet.la $(DEPS_LIBS) $(LIBPQ_LIBS)
