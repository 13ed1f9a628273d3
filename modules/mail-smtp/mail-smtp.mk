module_LTLIBRARIES += modules/mail-smtp.la
modules_mail_smtp_la_SOURCES = \
	modules/mail-smtp/mail-smtp.c
modules_mail_smtp_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_mail_smtp_la_CFLAGS = $(MODULE_CFLAGS) $(CURL_CFLAGS)
modules_mail_smtp_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_mail_smtp_la_LIBADD = libstet.la $(DEPS_LIBS) $(CURL_LIBS)
