core_fetch = \
	core/fetch/fetch.c \
	core/fetch/fetch.h \
	core/fetch/transfer.c \
	core/fetch/transfer.h
