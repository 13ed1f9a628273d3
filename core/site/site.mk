core_site = \
	core/site/absence.c core/site/absence.h core/site/compile.c core/site/compile.h \
	core/site/datadir.c core/site/datadir.h core/site/enabled.c core/site/enabled.h \
	core/site/listed.c core/site/migrate.c core/site/migrate.h core/site/noted.c core/site/noted.h core/site/own.c core/site/own.h core/site/prefix.c core/site/prefix.h \
	core/site/proof.c core/site/proof.h core/site/setting.c core/site/setting.h core/site/site.c \
	core/site/site.h core/site/sites.c core/site/sites.h core/site/suspension.c \
	core/site/suspension.h core/site/upgrade.c core/site/upgrade.h
