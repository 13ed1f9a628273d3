core_conf = \
	core/conf/conf.c \
	core/conf/conf.h \
	core/conf/confcheck.c \
	core/conf/confcheck.h \
	core/conf/confdatabase.c \
	core/conf/confdatabase.h \
	core/conf/confdriver.c \
	core/conf/confdriver.h \
	core/conf/confhost.c \
	core/conf/confhost.h \
	core/conf/confkey.c \
	core/conf/confkey.h \
	core/conf/confmail.c \
	core/conf/confmail.h \
	core/conf/confsite.c \
	core/conf/conftext.c \
	core/conf/conftext.h \
	core/conf/retention.c \
	core/conf/retention.h
