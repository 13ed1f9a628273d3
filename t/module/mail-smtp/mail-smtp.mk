check_PROGRAMS += t/module/mail-smtp/smtp.t
t_module_mail_smtp_smtp_t_SOURCES = \
	t/module/mail-smtp/smtp.c \
	t/http/openssl.c \
	t/http/openssl.h \
	$(POSTBOX)
t_module_mail_smtp_smtp_t_LDADD = $(LDADD) -lssl -lcrypto -lpthread
