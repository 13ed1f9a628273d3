core_db = \
	core/db/batch.c core/db/batch.h core/db/checkpoint.c core/db/checkpoint.h \
	core/db/checkpointer.c core/db/checkpointer.h core/db/db.c core/db/db.h core/db/dbcheck.c \
	core/db/dbcheck.h core/db/dbcopy.c core/db/dbcopy.h core/db/ends.c core/db/ends.h core/db/folding.c core/db/folding.h core/db/fulltext.c core/db/fulltext.h core/db/lazydb.c core/db/lazydb.h \
	core/db/lengths.c core/db/lengths.h core/db/match.c core/db/snippet.c core/db/match.h core/db/own.c core/db/own.h core/db/page.c core/db/put.c core/db/reader.c core/db/reader.h core/db/rows.c core/db/rows.h \
	core/db/scope.c core/db/snapshot.c core/db/snapshot.h core/db/sql.c core/db/stamp.c \
	core/db/stamp.h core/db/stmt.c core/db/stmt.h \
	core/db/writer.c core/db/writer.h
