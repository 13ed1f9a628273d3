core_image = \
	modules/media/image/image.c \
	modules/media/image/imageproc.c \
	modules/media/image/imageproc.h \
	modules/media/image/imagewire.h \
	modules/media/image/rendition.c \
	modules/media/image/rendition.h
