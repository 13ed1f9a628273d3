module_LTLIBRARIES += modules/files-s3.la
files_s3_sources = \
	modules/files-s3/s3.c \
	modules/files-s3/s3.h \
	modules/files-s3/s3ask.c \
	modules/files-s3/s3ask.h \
	modules/files-s3/s3sign.c \
	modules/files-s3/s3sign.h \
	modules/files-s3/s3xml.c \
	modules/files-s3/s3xml.h
modules_files_s3_la_SOURCES = \
	modules/files-s3/files-s3.c \
	modules/files-s3/keys.c \
	modules/files-s3/keys.h \
	$(files_s3_sources)
modules_files_s3_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_files_s3_la_CFLAGS = $(MODULE_CFLAGS) $(CURL_CFLAGS) $(EXPAT_CFLAGS)
modules_files_s3_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_files_s3_la_LIBADD = libstet.la $(DEPS_LIBS) $(CURL_LIBS) $(EXPAT_LIBS)
