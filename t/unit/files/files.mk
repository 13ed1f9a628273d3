check_PROGRAMS += t/unit/files/filedir.t
t_unit_files_filedir_t_SOURCES = t/unit/files/filedir.c t/unit/lib/elsewhere.h t/unit/lib/store.h
check_PROGRAMS += t/unit/files/filedriver.t
t_unit_files_filedriver_t_SOURCES = t/unit/files/filedriver.c t/unit/lib/elsewhere.h t/unit/lib/store.h $(BUCKET)
t_unit_files_filedriver_t_LDADD = $(LDADD) $(TLS_LIBS)
