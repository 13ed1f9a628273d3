/* mailwords.c - the texts of this module's mails in English, German, Spanish and French. The words
 * are those of the admin pages (admin/web/text/GLOSSARY). */
#include "signin.h"

static const struct stet_word words_en[] = {
	{ "magic_subject", "Sign in to {site}" },
	{ "magic_text",
	    "Somebody, most likely you, asked to sign in to {site} with this address.\n\n"
	    "Open this page and press its button:\n\n"
	    "{link}\n\n"
	    "It works once, within {time}. If you did not ask for it, ignore this mail:\n"
	    "nobody else has the link.\n" },
	{ "invite_subject", "Invitation to {site}" },
	{ "invite_text",
	    "You are invited to {site}.\n\n"
	    "Open this page to accept:\n\n"
	    "{link}\n\n"
	    "It works once, within {time}. If you do not know the site, ignore this mail.\n" },
	{ "minutes", "{n} minutes" },
	{ "day", "a day" },
	{ "days", "{n} days" },
	{ "this_site", "this site" },
	{ 0 },
};

static const struct stet_word words_de[] = {
	{ "magic_subject", "Anmeldung bei {site}" },
	{ "magic_text",
	    "Jemand, wahrscheinlich Sie, möchte sich mit dieser Adresse bei {site} anmelden.\n\n"
	    "Öffnen Sie diese Seite, und klicken Sie auf die Schaltfläche:\n\n"
	    "{link}\n\n"
	    "Der Link funktioniert einmal, innerhalb von {time}. Wenn Sie ihn nicht\n"
	    "angefordert haben, beachten Sie diese E-Mail nicht: Niemand sonst hat den Link.\n" },
	{ "invite_subject", "Einladung zu {site}" },
	{ "invite_text",
	    "Sie sind zu {site} eingeladen.\n\n"
	    "Öffnen Sie diese Seite, um anzunehmen:\n\n"
	    "{link}\n\n"
	    "Der Link funktioniert einmal, innerhalb von {time}. Wenn Sie die Website nicht\n"
	    "kennen, beachten Sie diese E-Mail nicht.\n" },
	{ "minutes", "{n} Minuten" },
	{ "day", "einem Tag" },
	{ "days", "{n} Tagen" },
	{ "this_site", "dieser Website" },
	{ 0 },
};

static const struct stet_word words_es[] = {
	{ "magic_subject", "Iniciar sesión en {site}" },
	{ "magic_text",
	    "Alguien, probablemente usted, pidió iniciar sesión en {site} con esta\n"
	    "dirección.\n\n"
	    "Abra esta página y pulse su botón:\n\n"
	    "{link}\n\n"
	    "El enlace funciona una sola vez y caduca en {time}. Si no lo pidió, no haga\n"
	    "caso de este correo: nadie más tiene el enlace.\n" },
	{ "invite_subject", "Invitación a {site}" },
	{ "invite_text",
	    "Le han invitado a {site}.\n\n"
	    "Abra esta página para aceptar:\n\n"
	    "{link}\n\n"
	    "El enlace funciona una sola vez y caduca en {time}. Si no conoce el sitio, no\n"
	    "haga caso de este correo.\n" },
	{ "minutes", "{n} minutos" },
	{ "day", "un día" },
	{ "days", "{n} días" },
	{ "this_site", "este sitio" },
	{ 0 },
};

static const struct stet_word words_fr[] = {
	{ "magic_subject", "Connexion à {site}" },
	{ "magic_text",
	    "Quelqu’un, sans doute vous, a demandé à se connecter à {site} avec cette\n"
	    "adresse.\n\n"
	    "Ouvrez cette page et cliquez sur son bouton :\n\n"
	    "{link}\n\n"
	    "Le lien fonctionne une seule fois et expire dans {time}. Si vous ne l’avez pas\n"
	    "demandé, ignorez cet e-mail : personne d’autre n’a le lien.\n" },
	{ "invite_subject", "Invitation à {site}" },
	{ "invite_text",
	    "Vous êtes invité à rejoindre {site}.\n\n"
	    "Ouvrez cette page pour accepter :\n\n"
	    "{link}\n\n"
	    "Le lien fonctionne une seule fois et expire dans {time}. Si vous ne connaissez\n"
	    "pas le site, ignorez cet e-mail.\n" },
	{ "minutes", "{n} minutes" },
	{ "day", "un jour" },
	{ "days", "{n} jours" },
	{ "this_site", "ce site" },
	{ 0 },
};

const struct stet_words mail_languages[] = {
	{ "en", words_en },
	{ "de", words_de },
	{ "es", words_es },
	{ "fr", words_fr },
	{ 0 },
};
