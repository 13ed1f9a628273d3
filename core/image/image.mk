core_image = \
	core/image/image.c \
	core/image/imageproc.c \
	core/image/imageproc.h \
	core/image/imagewire.h \
	core/image/rendition.c \
	core/image/rendition.h
