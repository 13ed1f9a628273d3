/* mailwords.c - the texts of this module's mails in English, German, Spanish and French. The words
 * are those of the admin pages (admin/web/text/GLOSSARY). Texts with the names of mails say what
 * somebody did. */
#include "reviews.h"

static const struct stet_word words_en[] = {
	{ "mention", "{who} mentioned you in a note" },
	{ "review", "{who} asks for a review" },
	{ "approved", "{who} has approved" },
	{ "returned", "{who} asks for changes" },
	{ "published", "{who} has published" },
	{ "approval", "{who} asks for your approval" },
	{ "subject", "{did}: {title}" },
	{ "about", "{did}: \"{title}\"." },
	{ "off", "These mails can be turned off: {link}" },
	{ 0 },
};

static const struct stet_word words_de[] = {
	{ "mention", "{who} hat Sie in einer Notiz erwähnt" },
	{ "review", "{who} bittet um eine Prüfung" },
	{ "approved", "{who} hat freigegeben" },
	{ "returned", "{who} erbittet Änderungen" },
	{ "published", "{who} hat veröffentlicht" },
	{ "approval", "{who} bittet um Ihre Freigabe" },
	{ "subject", "{did}: {title}" },
	{ "about", "{did}: „{title}“." },
	{ "off", "Diese E-Mails lassen sich abschalten: {link}" },
	{ 0 },
};

static const struct stet_word words_es[] = {
	{ "mention", "{who} le ha mencionado en una nota" },
	{ "review", "{who} pide una revisión" },
	{ "approved", "{who} ha aprobado" },
	{ "returned", "{who} pide cambios" },
	{ "published", "{who} ha publicado" },
	{ "approval", "{who} pide su aprobación" },
	{ "subject", "{did}: {title}" },
	{ "about", "{did}: «{title}»." },
	{ "off", "Estos correos se pueden desactivar: {link}" },
	{ 0 },
};

static const struct stet_word words_fr[] = {
	{ "mention", "{who} vous a mentionné dans une note" },
	{ "review", "{who} demande une relecture" },
	{ "approved", "{who} a approuvé" },
	{ "returned", "{who} demande des changements" },
	{ "published", "{who} a publié" },
	{ "approval", "{who} demande votre approbation" },
	{ "subject", "{did} : {title}" },
	{ "about", "{did} : « {title} »." },
	{ "off", "Ces e-mails peuvent être désactivés : {link}" },
	{ 0 },
};

const struct stet_words mail_languages[] = {
	{ "en", words_en },
	{ "de", words_de },
	{ "es", words_es },
	{ "fr", words_fr },
	{ 0 },
};
