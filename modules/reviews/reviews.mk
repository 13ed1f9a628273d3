module_LTLIBRARIES += modules/reviews.la
modules_reviews_la_SOURCES = \
	modules/reviews/allow.c \
	modules/reviews/approval.c \
	modules/reviews/approval.h \
	modules/reviews/approvalend.c \
	modules/reviews/ask.c \
	modules/reviews/decide.c \
	modules/reviews/edit.c \
	modules/reviews/follow.c \
	modules/reviews/mails.c \
	modules/reviews/mailwords.c \
	modules/reviews/moved.c \
	modules/reviews/notes.c \
	modules/reviews/people.c \
	modules/reviews/presence.c \
	modules/reviews/request.c \
	modules/reviews/requests.c \
	modules/reviews/reviews.c \
	modules/reviews/reviews.h \
	modules/reviews/subject.c
modules_reviews_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_reviews_la_CFLAGS = $(MODULE_CFLAGS)
modules_reviews_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_reviews_la_LIBADD = libstet.la $(DEPS_LIBS)
