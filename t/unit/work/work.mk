check_PROGRAMS += t/unit/work/outbox.t
t_unit_work_outbox_t_SOURCES = t/unit/work/outbox.c t/unit/lib/counter.h t/unit/lib/store.h
