core_files = \
	core/files/filecache.c \
	core/files/filecache.h \
	core/files/filedir.c \
	core/files/filedir.h \
	core/files/filedriver.c \
	core/files/filedriver.h \
	core/files/filekey.c \
	core/files/files3.c \
	core/files/files3.h \
	core/files/filesum.c \
	core/files/filesum.h \
	core/files/s3.c \
	core/files/s3.h \
	core/files/s3ask.c \
	core/files/s3ask.h \
	core/files/s3sign.c \
	core/files/s3sign.h \
	core/files/s3xml.c \
	core/files/s3xml.h \
	core/files/store.c \
	core/files/storecheck.c \
	core/files/storecheck.h \
	core/files/storemove.c \
	core/files/storeurl.c
