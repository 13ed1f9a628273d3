# Notes on items, requests for review, and that neither is public.
check_PROGRAMS += t/module/reviews/notes.t
t_module_reviews_notes_t_SOURCES = \
	t/module/reviews/colleagues.c \
	t/module/reviews/colleagues.h \
	t/module/reviews/notes.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/reviews/reviews.t
t_module_reviews_reviews_t_SOURCES = \
	t/module/reviews/colleagues.c \
	t/module/reviews/colleagues.h \
	t/module/reviews/reviews.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/reviews/mails.t
t_module_reviews_mails_t_SOURCES = \
	t/module/reviews/mails.c \
	modules/reviews/mailwords.c \
	t/module/lib/wording.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTBOX)
t_module_reviews_mails_t_LDADD = $(LDADD) $(TLS_LIBS) -lpthread

check_PROGRAMS += t/module/reviews/approvals.t
t_module_reviews_approvals_t_SOURCES = \
	t/module/reviews/approvals.c \
	t/module/reviews/colleagues.c \
	t/module/reviews/colleagues.h \
	t/module/lib/people.c \
	t/module/lib/people.h \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h
