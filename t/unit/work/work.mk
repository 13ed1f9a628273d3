check_PROGRAMS += t/unit/work/outbox.t
t_unit_work_outbox_t_SOURCES = t/unit/work/outbox.c t/unit/lib/counter.h t/unit/lib/store.h
check_PROGRAMS += t/unit/work/filedriver.t
t_unit_work_filedriver_t_SOURCES = t/unit/work/filedriver.c t/unit/lib/store.h
check_PROGRAMS += t/unit/work/vault.t
t_unit_work_vault_t_SOURCES = t/unit/work/vault.c t/unit/lib/store.h
check_PROGRAMS += t/unit/work/mailtext.t
t_unit_work_mailtext_t_SOURCES = t/unit/work/mailtext.c
