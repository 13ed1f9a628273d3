check_PROGRAMS += t/module/files-s3/s3.t
t_module_files_s3_s3_t_SOURCES = \
	t/module/files-s3/s3.c \
	t/unit/lib/store.h \
	$(files_s3_sources) \
	$(BUCKET)
t_module_files_s3_s3_t_LDADD = $(LDADD) $(TLS_LIBS) $(CURL_LIBS) $(EXPAT_LIBS)
