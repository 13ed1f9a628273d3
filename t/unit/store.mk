check_PROGRAMS += t/unit/db.t t/unit/lane.t t/unit/migrate.t t/unit/outbox.t t/unit/pace.t t/unit/rows.t t/unit/slow.t \
	t/unit/stamp.t t/unit/walfile.t t/unit/writer.t
t_unit_db_t_SOURCES = t/unit/db.c t/unit/store.h
t_unit_lane_t_SOURCES = t/unit/lane.c t/unit/store.h t/unit/gate.h
t_unit_migrate_t_SOURCES = t/unit/migrate.c t/unit/store.h
t_unit_outbox_t_SOURCES = t/unit/outbox.c t/unit/counter.h t/unit/store.h
t_unit_pace_t_SOURCES = t/unit/pace.c
t_unit_rows_t_SOURCES = t/unit/rows.c t/unit/store.h
t_unit_slow_t_SOURCES = t/unit/slow.c t/unit/counter.h t/unit/store.h
t_unit_stamp_t_SOURCES = t/unit/stamp.c t/unit/store.h
t_unit_walfile_t_SOURCES = t/unit/walfile.c t/unit/shaky.h t/unit/store.h
t_unit_writer_t_SOURCES = t/unit/writer.c t/unit/store.h t/unit/gate.h
check_PROGRAMS += t/unit/activity.t
t_unit_activity_t_SOURCES = t/unit/activity.c
