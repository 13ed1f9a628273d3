// phrases.ts - the texts that pages have of their own, by language: those of the pages, and those of their scripts in
// browsers. A language that is not here has the English ones. Another one is a word of LANGUAGES, and one more text in
// each row of the two tables.

const LANGUAGES = ["en", "de", "fr", "es"];
type Row = readonly [string, string, string, string];

// {n} and other names in braces are replaced by put(). mainMenu, footerMenu, pages, beside and terms are names of
// navigations, for screen readers.
const PAGES = {
	skip: ["Skip to the text", "Zum Inhalt springen", "Aller au contenu", "Saltar al contenido"],
	mainMenu: ["Main", "Hauptmenü", "Menu principal", "Menú principal"],
	footerMenu: ["Footer", "Fußzeile", "Pied de page", "Pie de página"],
	search: ["Search", "Suche", "Recherche", "Buscar"],
	searchWords: ["Search for", "Suchbegriffe", "Mots à rechercher", "Palabras que buscar"],
	feed: ["Feed", "Feed", "Flux", "Feed"],
	preview: ["Preview", "Vorschau", "Aperçu", "Vista previa"],
	nothing: ["Nothing yet.", "Noch keine Einträge.", "Rien pour le moment.", "Todavía no hay nada."],
	all: ["All {title}", "Alle Einträge: {title}", "Tout voir : {title}", "Ver todo: {title}"],
	newer: ["Newer", "Neuere", "Plus récents", "Más recientes"],
	older: ["Older", "Ältere", "Plus anciens", "Más antiguos"],
	page: ["Page {n}", "Seite {n}", "Page {n}", "Página {n}"],
	pageOf: ["Page {n} of {count}", "Seite {n} von {count}", "Page {n} sur {count}", "Página {n} de {count}"],
	pages: ["Pages", "Seiten", "Pages", "Páginas"],
	beside: [
		"Newer and older",
		"Neuere und ältere Einträge",
		"Plus récent et plus ancien",
		"Más reciente y más antiguo",
	],
	terms: ["Terms", "Schlagwörter", "Mots-clés", "Etiquetas"],
	related: ["Related", "Ähnliche Beiträge", "À lire aussi", "Relacionados"],
	yes: ["Yes", "Ja", "Oui", "Sí"],
	no: ["No", "Nein", "Non", "No"],
	file: ["File", "Datei", "Fichier", "Archivo"],
	notFound: ["Page not found", "Seite nicht gefunden", "Page introuvable", "Página no encontrada"],
	notFoundText: [
		"This page does not exist, or not any more.",
		"Diese Seite gibt es nicht oder nicht mehr.",
		"Cette page n’existe pas ou n’existe plus.",
		"Esta página no existe o ya no existe.",
	],
	toSearch: ["Search for it", "Danach suchen", "La rechercher", "Buscarla"],
	toFront: ["Go to the front page", "Zur Startseite", "Aller à l’accueil", "Ir a la portada"],
	oneComment: ["{n} comment", "{n} Kommentar", "{n} commentaire", "{n} comentario"],
	someComments: ["{n} comments", "{n} Kommentare", "{n} commentaires", "{n} comentarios"],
	closed: [
		"Comments are closed.",
		"Kommentare sind geschlossen.",
		"Les commentaires sont fermés.",
		"Los comentarios están cerrados.",
	],
	answer: ["Reply", "Antworten", "Répondre", "Responder"],
	write: ["Write a comment", "Kommentar schreiben", "Écrire un commentaire", "Escribir un comentario"],
	name: ["Your name", "Name", "Votre nom", "Tu nombre"],
	email: [
		"Your email address (not shown)",
		"E-Mail-Adresse (wird nicht angezeigt)",
		"Votre adresse e-mail (non affichée)",
		"Tu correo electrónico (no se muestra)",
	],
	comment: ["Comment", "Kommentar", "Commentaire", "Comentario"],
	website: ["Website", "Website", "Site web", "Sitio web"],
	send: ["Send", "Absenden", "Envoyer", "Enviar"],
	noScript: [
		"Sending a comment needs JavaScript, which is off in this browser.",
		"Zum Kommentieren wird JavaScript gebraucht, das in diesem Browser ausgeschaltet ist.",
		"L’envoi d’un commentaire nécessite JavaScript, désactivé dans ce navigateur.",
		"Para enviar un comentario hace falta JavaScript, desactivado en este navegador.",
	],
	footnotes: ["Footnotes", "Fußnoten", "Notes", "Notas"],
	back: ["Back to the text", "Zurück zum Text", "Retour au texte", "Volver al texto"],
	download: ["Download", "Herunterladen", "Télécharger", "Descargar"],
	play: [
		"Watch or listen at {name}",
		"Bei {name} ansehen oder anhören",
		"Voir ou écouter sur {name}",
		"Ver o escuchar en {name}",
	],
} satisfies Record<string, Row>;

// Of scripts: the names in capitals are error codes of stet, those of fields are what is said if the field is wrong.
const BROWSERS = {
	oneResult: ["{n} result", "{n} Treffer", "{n} résultat", "{n} resultado"],
	someResults: ["{n} results", "{n} Treffer", "{n} résultats", "{n} resultados"],
	noSearch: [
		"The search is not available.",
		"Die Suche ist gerade nicht verfügbar.",
		"La recherche n’est pas disponible.",
		"La búsqueda no está disponible.",
	],
	noPreview: [
		"This preview is not valid any more.",
		"Diese Vorschau gilt nicht mehr.",
		"Cet aperçu n’est plus valable.",
		"Esta vista previa ya no es válida.",
	],
	// Of what a release changes.
	added: ["New", "Neu", "Nouveau", "Nuevo"],
	changed: ["Changed", "Geändert", "Modifié", "Cambiado"],
	removed: ["Removed", "Entfernt", "Retiré", "Retirado"],
	settings: ["Settings", "Einstellungen", "Réglages", "Ajustes"],
	answerTo: ["A reply to {name}", "Antwort an {name}", "Réponse à {name}", "Respuesta a {name}"],
	shown: [
		"Thank you: your comment is published.",
		"Danke: Dein Kommentar ist veröffentlicht.",
		"Merci : votre commentaire est publié.",
		"Gracias: tu comentario está publicado.",
	],
	stored: [
		"Thank you: your comment will be shown when it has been read.",
		"Danke: Dein Kommentar erscheint, sobald er gelesen wurde.",
		"Merci : votre commentaire sera affiché après lecture.",
		"Gracias: tu comentario se mostrará cuando se haya leído.",
	],
	tooMany: [
		"You have sent many comments. Please wait some minutes, and send it again.",
		"Das waren viele Kommentare. Bitte warte einige Minuten und sende ihn noch einmal.",
		"Cela fait beaucoup de commentaires. Attendez quelques minutes avant de réessayer.",
		"Son muchos comentarios. Espera unos minutos y vuelve a enviarlo.",
	],
	unsent: [
		"The comment could not be sent. Please try again later.",
		"Der Kommentar konnte nicht gesendet werden. Bitte versuche es später noch einmal.",
		"Le commentaire n’a pas pu être envoyé. Réessayez plus tard.",
		"No se ha podido enviar el comentario. Inténtalo más tarde.",
	],
	COMMENTS_DISABLED: [
		"Comments are not taken here.",
		"Hier sind keine Kommentare möglich.",
		"Les commentaires ne sont pas acceptés ici.",
		"Aquí no se admiten comentarios.",
	],
	COMMENTS_CLOSED: [
		"Comments are closed here.",
		"Die Kommentare sind geschlossen.",
		"Les commentaires sont fermés.",
		"Los comentarios están cerrados.",
	],
	COMMENT_REJECTED: [
		"This comment was not accepted.",
		"Dieser Kommentar wurde nicht angenommen.",
		"Ce commentaire n’a pas été accepté.",
		"Este comentario no se ha aceptado.",
	],
	NOT_FOUND: [
		"This page takes no comments any more.",
		"Diese Seite nimmt keine Kommentare mehr an.",
		"Cette page n’accepte plus de commentaires.",
		"Esta página ya no admite comentarios.",
	],
	VALIDATION_ERROR: [
		"Something is missing, or not as it should be.",
		"Etwas fehlt oder stimmt nicht.",
		"Il manque quelque chose, ou une valeur n’est pas correcte.",
		"Falta algo, o algo no es correcto.",
	],
	authorName: [
		"Please give your name.",
		"Bitte gib einen Namen an.",
		"Indiquez votre nom.",
		"Escribe tu nombre.",
	],
	authorEmail: [
		"Please give your email address. Nobody but the moderators sees it.",
		"Bitte gib deine E-Mail-Adresse an. Nur die Moderation sieht sie.",
		"Indiquez votre adresse e-mail. Seule la modération la voit.",
		"Escribe tu correo electrónico. Solo lo ve la moderación.",
	],
	body: [
		"Please write something, at most 5,000 characters.",
		"Bitte schreibe etwas, höchstens 5.000 Zeichen.",
		"Écrivez quelque chose, au plus 5 000 caractères.",
		"Escribe algo, como mucho 5.000 caracteres.",
	],
	parentId: [
		"The comment that you reply to is not there any more.",
		"Den Kommentar, auf den du antwortest, gibt es nicht mehr.",
		"Le commentaire auquel vous répondez n’existe plus.",
		"El comentario al que respondes ya no existe.",
	],
} satisfies Record<string, Row>;

/** The texts of a table in one language, and that language. */
type In<T> = Record<keyof T | "lang", string>;
export type Phrases = In<typeof PAGES>;
export type BrowserPhrases = In<typeof BROWSERS>;

function of<T extends Record<string, Row>>(table: T, locale: string): In<T> {
	const at = Math.max(0, LANGUAGES.indexOf(locale.split(/[-_]/)[0]?.toLowerCase() ?? ""));
	const texts = Object.entries(table).map(([name, row]) => [name, row[at]]);

	return { ...Object.fromEntries(texts), lang: LANGUAGES[at] };
}

/** The texts of pages in this language. */
export const phrasesOf = (locale: string): Phrases => of(PAGES, locale);
/** The texts of scripts in browsers. */
export const browserPhrasesOf = (locale: string): BrowserPhrases => of(BROWSERS, locale);

/** Puts values into a text: put("Page {n}", { n: 2 }). */
export const put = (text: string, values: Record<string, string | number>): string =>
	text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));

/** A text with a number: `one` or `some`, by the rules of the language; {n} is the number as the language writes it. */
export function counted(n: number, one: string, some: string, { lang }: { lang: string }): string {
	const text = new Intl.PluralRules(lang).select(n) === "one" ? one : some;

	return put(text, { n: new Intl.NumberFormat(lang).format(n) });
}
