# What the SDK offers to modules and the daemon has no use for; part of libstet, as the rooms of the core.
sdk_lib = \
	plugin-sdk/lib/address.c \
	plugin-sdk/lib/entry.c \
	plugin-sdk/lib/invoke.c \
	plugin-sdk/lib/reading.c \
	plugin-sdk/lib/rules.c \
	plugin-sdk/lib/slug.c \
	plugin-sdk/lib/steps.c \
	plugin-sdk/lib/username.c \
	plugin-sdk/lib/words.c
