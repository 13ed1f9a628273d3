core_mail = \
	core/mail/mail.c \
	core/mail/mail.h \
	core/mail/mailtext.c \
	core/mail/mailtext.h \
	core/mail/mailtransport.c \
	core/mail/mailtransport.h
