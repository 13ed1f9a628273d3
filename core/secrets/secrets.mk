core_secrets = \
	core/secrets/credential.c \
	core/secrets/sealed.c \
	core/secrets/sealed.h \
	core/secrets/secretfile.c \
	core/secrets/sitekey.c \
	core/secrets/sitekey.h \
	core/secrets/vault.c \
	core/secrets/vault.h
