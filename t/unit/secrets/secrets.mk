check_PROGRAMS += t/unit/secrets/vault.t
t_unit_secrets_vault_t_SOURCES = t/unit/secrets/vault.c t/unit/lib/store.h
