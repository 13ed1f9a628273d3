/* words.c - the texts of the page that stands in for the admin pages where they were not built, in
 * English, German, Spanish and French. */
#include "admin.h"

static const struct stet_word words_en[] = {
	{ "title", "The admin pages were not built" },
	{ "why",
	    "This daemon runs without them. In a checkout, “{command}” makes them with npm. Releases and Debian packages have them." },
	{ "works", "The API works, and these pages do:" },
	{ "account", "Your account" },
	{ 0 },
};

static const struct stet_word words_de[] = {
	{ "title", "Die Admin-Seiten wurden nicht erstellt" },
	{ "why",
	    "Dieser Dienst läuft ohne sie. In einem Checkout erstellt „{command}“ sie mit npm. Releases und Debian-Pakete enthalten sie." },
	{ "works", "Die API funktioniert, und diese Seiten:" },
	{ "account", "Ihr Konto" },
	{ 0 },
};

static const struct stet_word words_es[] = {
	{ "title", "Las páginas de administración no se han generado" },
	{ "why",
	    "Este servicio funciona sin ellas. En una copia de trabajo, «{command}» las genera con npm. Las versiones publicadas y los paquetes de Debian las tienen." },
	{ "works", "La API funciona, y también estas páginas:" },
	{ "account", "Su cuenta" },
	{ 0 },
};

static const struct stet_word words_fr[] = {
	{ "title", "Les pages d’administration n’ont pas été construites" },
	{ "why",
	    "Ce service fonctionne sans elles. Dans une copie de travail, « {command} » les construit avec npm. Les versions publiées et les paquets Debian les contiennent." },
	{ "works", "L’API fonctionne, ainsi que ces pages :" },
	{ "account", "Votre compte" },
	{ 0 },
};

const struct stet_words admin_languages[] = {
	{ "en", words_en },
	{ "de", words_de },
	{ "es", words_es },
	{ "fr", words_fr },
	{ 0 },
};
