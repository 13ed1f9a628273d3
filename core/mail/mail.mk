core_mail = \
	core/mail/mail.c \
	core/mail/mail.h \
	core/mail/mailtext.c \
	core/mail/mailtext.h \
	core/mail/smtp.c \
	core/mail/smtp.h
