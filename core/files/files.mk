core_files = \
	core/files/derived.c \
	core/files/filecache.c \
	core/files/filecache.h \
	core/files/filedir.c \
	core/files/filedir.h \
	core/files/filedriver.c \
	core/files/filedriver.h \
	core/files/filekey.c \
	core/files/filesum.c \
	core/files/filesum.h \
	core/files/store.c \
	core/files/storecheck.c \
	core/files/storecheck.h \
	core/files/storemove.c \
	core/files/storeurl.c
