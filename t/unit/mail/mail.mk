check_PROGRAMS += t/unit/mail/mailtext.t
t_unit_mail_mailtext_t_SOURCES = t/unit/mail/mailtext.c
