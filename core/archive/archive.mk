core_archive = \
	core/archive/pack.c \
	core/archive/pack.h \
	core/archive/seal.c \
	core/archive/seal.h \
	core/archive/tar.c \
	core/archive/tar.h \
	core/archive/unpack.c \
	core/archive/unpack.h
