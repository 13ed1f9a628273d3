// phrases.ts - the texts that pages have of their own, by language: those of the pages, and those of their scripts in
// browsers. A language that is not here has the English ones. Another one is a member of each of the two tables.

/** {n} and other names in braces are replaced by put(). */
export interface Phrases {
	/** The language of these texts. */
	lang: string;
	skip: string;
	/** Names of the navigations, for screen readers. */
	mainMenu: string;
	footerMenu: string;
	search: string;
	searchWords: string;
	feed: string;
	preview: string;
	nothing: string;
	all: string;
	newer: string;
	older: string;
	page: string;
	pageOf: string;
	pages: string;
	beside: string;
	terms: string;
	related: string;
	yes: string;
	no: string;
	file: string;
	notFound: string;
	notFoundText: string;
	toSearch: string;
	toFront: string;
	oneComment: string;
	someComments: string;
	closed: string;
	answer: string;
	write: string;
	name: string;
	email: string;
	comment: string;
	website: string;
	send: string;
	noScript: string;
	footnotes: string;
	back: string;
	download: string;
	play: string;
}
/** Of scripts: the names in capitals are error codes of stet, those of fields are what is said if the field is wrong. */
export interface BrowserPhrases {
	lang: string;
	oneResult: string;
	someResults: string;
	noSearch: string;
	noPreview: string;
	answerTo: string;
	shown: string;
	stored: string;
	tooMany: string;
	unsent: string;
	COMMENTS_DISABLED: string;
	COMMENTS_CLOSED: string;
	COMMENT_REJECTED: string;
	NOT_FOUND: string;
	VALIDATION_ERROR: string;
	authorName: string;
	authorEmail: string;
	body: string;
	parentId: string;
}

const english: Phrases = {
	lang: "en",
	skip: "Skip to the text",
	mainMenu: "Main",
	footerMenu: "Footer",
	search: "Search",
	searchWords: "Search for",
	feed: "Feed",
	preview: "Preview",
	nothing: "Nothing yet.",
	all: "All {title}",
	newer: "Newer",
	older: "Older",
	page: "Page {n}",
	pageOf: "Page {n} of {count}",
	pages: "Pages",
	beside: "Newer and older",
	terms: "Terms",
	related: "Related",
	yes: "Yes",
	no: "No",
	file: "File",
	notFound: "Page not found",
	notFoundText: "This page does not exist, or not any more.",
	toSearch: "Search for it",
	toFront: "Go to the front page",
	oneComment: "{n} comment",
	someComments: "{n} comments",
	closed: "Comments are closed.",
	answer: "Reply",
	write: "Write a comment",
	name: "Your name",
	email: "Your email address (not shown)",
	comment: "Comment",
	website: "Website",
	send: "Send",
	noScript: "Sending a comment needs JavaScript, which is off in this browser.",
	footnotes: "Footnotes",
	back: "Back to the text",
	download: "Download",
	play: "Watch or listen at {name}",
};

const PAGES: Record<string, Phrases> = {
	en: english,
	de: {
		lang: "de",
		skip: "Zum Inhalt springen",
		mainMenu: "Hauptmenü",
		footerMenu: "Fußzeile",
		search: "Suche",
		searchWords: "Suchbegriffe",
		feed: "Feed",
		preview: "Vorschau",
		nothing: "Noch keine Einträge.",
		all: "Alle Einträge: {title}",
		newer: "Neuere",
		older: "Ältere",
		page: "Seite {n}",
		pageOf: "Seite {n} von {count}",
		pages: "Seiten",
		beside: "Neuere und ältere Einträge",
		terms: "Schlagwörter",
		related: "Ähnliche Beiträge",
		yes: "Ja",
		no: "Nein",
		file: "Datei",
		notFound: "Seite nicht gefunden",
		notFoundText: "Diese Seite gibt es nicht oder nicht mehr.",
		toSearch: "Danach suchen",
		toFront: "Zur Startseite",
		oneComment: "{n} Kommentar",
		someComments: "{n} Kommentare",
		closed: "Kommentare sind geschlossen.",
		answer: "Antworten",
		write: "Kommentar schreiben",
		name: "Name",
		email: "E-Mail-Adresse (wird nicht angezeigt)",
		comment: "Kommentar",
		website: "Website",
		send: "Absenden",
		noScript: "Zum Kommentieren wird JavaScript gebraucht, das in diesem Browser ausgeschaltet ist.",
		footnotes: "Fußnoten",
		back: "Zurück zum Text",
		download: "Herunterladen",
		play: "Bei {name} ansehen oder anhören",
	},
	fr: {
		lang: "fr",
		skip: "Aller au contenu",
		mainMenu: "Menu principal",
		footerMenu: "Pied de page",
		search: "Recherche",
		searchWords: "Mots à rechercher",
		feed: "Flux",
		preview: "Aperçu",
		nothing: "Rien pour le moment.",
		all: "Tout voir : {title}",
		newer: "Plus récents",
		older: "Plus anciens",
		page: "Page {n}",
		pageOf: "Page {n} sur {count}",
		pages: "Pages",
		beside: "Plus récent et plus ancien",
		terms: "Mots-clés",
		related: "À lire aussi",
		yes: "Oui",
		no: "Non",
		file: "Fichier",
		notFound: "Page introuvable",
		notFoundText: "Cette page n’existe pas ou n’existe plus.",
		toSearch: "La rechercher",
		toFront: "Aller à l’accueil",
		oneComment: "{n} commentaire",
		someComments: "{n} commentaires",
		closed: "Les commentaires sont fermés.",
		answer: "Répondre",
		write: "Écrire un commentaire",
		name: "Votre nom",
		email: "Votre adresse e-mail (non affichée)",
		comment: "Commentaire",
		website: "Site web",
		send: "Envoyer",
		noScript: "L’envoi d’un commentaire nécessite JavaScript, désactivé dans ce navigateur.",
		footnotes: "Notes",
		back: "Retour au texte",
		download: "Télécharger",
		play: "Voir ou écouter sur {name}",
	},
	es: {
		lang: "es",
		skip: "Saltar al contenido",
		mainMenu: "Menú principal",
		footerMenu: "Pie de página",
		search: "Buscar",
		searchWords: "Palabras que buscar",
		feed: "Feed",
		preview: "Vista previa",
		nothing: "Todavía no hay nada.",
		all: "Ver todo: {title}",
		newer: "Más recientes",
		older: "Más antiguos",
		page: "Página {n}",
		pageOf: "Página {n} de {count}",
		pages: "Páginas",
		beside: "Más reciente y más antiguo",
		terms: "Etiquetas",
		related: "Relacionados",
		yes: "Sí",
		no: "No",
		file: "Archivo",
		notFound: "Página no encontrada",
		notFoundText: "Esta página no existe o ya no existe.",
		toSearch: "Buscarla",
		toFront: "Ir a la portada",
		oneComment: "{n} comentario",
		someComments: "{n} comentarios",
		closed: "Los comentarios están cerrados.",
		answer: "Responder",
		write: "Escribir un comentario",
		name: "Tu nombre",
		email: "Tu correo electrónico (no se muestra)",
		comment: "Comentario",
		website: "Sitio web",
		send: "Enviar",
		noScript: "Para enviar un comentario hace falta JavaScript, desactivado en este navegador.",
		footnotes: "Notas",
		back: "Volver al texto",
		download: "Descargar",
		play: "Ver o escuchar en {name}",
	},
};

const BROWSERS: Record<string, BrowserPhrases> = {
	en: {
		lang: "en",
		oneResult: "{n} result",
		someResults: "{n} results",
		noSearch: "The search is not available.",
		noPreview: "This preview is not valid any more.",
		answerTo: "A reply to {name}",
		shown: "Thank you: your comment is published.",
		stored: "Thank you: your comment will be shown when it has been read.",
		tooMany: "You have sent many comments. Please wait some minutes, and send it again.",
		unsent: "The comment could not be sent. Please try again later.",
		COMMENTS_DISABLED: "Comments are not taken here.",
		COMMENTS_CLOSED: "Comments are closed here.",
		COMMENT_REJECTED: "This comment was not accepted.",
		NOT_FOUND: "This page takes no comments any more.",
		VALIDATION_ERROR: "Something is missing, or not as it should be.",
		authorName: "Please give your name.",
		authorEmail: "Please give your email address. Nobody but the moderators sees it.",
		body: "Please write something, at most 5,000 characters.",
		parentId: "The comment that you reply to is not there any more.",
	},
	de: {
		lang: "de",
		oneResult: "{n} Treffer",
		someResults: "{n} Treffer",
		noSearch: "Die Suche ist gerade nicht verfügbar.",
		noPreview: "Diese Vorschau gilt nicht mehr.",
		answerTo: "Antwort an {name}",
		shown: "Danke: Dein Kommentar ist veröffentlicht.",
		stored: "Danke: Dein Kommentar erscheint, sobald er gelesen wurde.",
		tooMany: "Das waren viele Kommentare. Bitte warte einige Minuten und sende ihn noch einmal.",
		unsent: "Der Kommentar konnte nicht gesendet werden. Bitte versuche es später noch einmal.",
		COMMENTS_DISABLED: "Hier sind keine Kommentare möglich.",
		COMMENTS_CLOSED: "Die Kommentare sind geschlossen.",
		COMMENT_REJECTED: "Dieser Kommentar wurde nicht angenommen.",
		NOT_FOUND: "Diese Seite nimmt keine Kommentare mehr an.",
		VALIDATION_ERROR: "Etwas fehlt oder stimmt nicht.",
		authorName: "Bitte gib einen Namen an.",
		authorEmail: "Bitte gib deine E-Mail-Adresse an. Nur die Moderation sieht sie.",
		body: "Bitte schreibe etwas, höchstens 5.000 Zeichen.",
		parentId: "Den Kommentar, auf den du antwortest, gibt es nicht mehr.",
	},
	fr: {
		lang: "fr",
		oneResult: "{n} résultat",
		someResults: "{n} résultats",
		noSearch: "La recherche n’est pas disponible.",
		noPreview: "Cet aperçu n’est plus valable.",
		answerTo: "Réponse à {name}",
		shown: "Merci : votre commentaire est publié.",
		stored: "Merci : votre commentaire sera affiché après lecture.",
		tooMany: "Cela fait beaucoup de commentaires. Attendez quelques minutes avant de réessayer.",
		unsent: "Le commentaire n’a pas pu être envoyé. Réessayez plus tard.",
		COMMENTS_DISABLED: "Les commentaires ne sont pas acceptés ici.",
		COMMENTS_CLOSED: "Les commentaires sont fermés.",
		COMMENT_REJECTED: "Ce commentaire n’a pas été accepté.",
		NOT_FOUND: "Cette page n’accepte plus de commentaires.",
		VALIDATION_ERROR: "Il manque quelque chose, ou une valeur n’est pas correcte.",
		authorName: "Indiquez votre nom.",
		authorEmail: "Indiquez votre adresse e-mail. Seule la modération la voit.",
		body: "Écrivez quelque chose, au plus 5 000 caractères.",
		parentId: "Le commentaire auquel vous répondez n’existe plus.",
	},
	es: {
		lang: "es",
		oneResult: "{n} resultado",
		someResults: "{n} resultados",
		noSearch: "La búsqueda no está disponible.",
		noPreview: "Esta vista previa ya no es válida.",
		answerTo: "Respuesta a {name}",
		shown: "Gracias: tu comentario está publicado.",
		stored: "Gracias: tu comentario se mostrará cuando se haya leído.",
		tooMany: "Son muchos comentarios. Espera unos minutos y vuelve a enviarlo.",
		unsent: "No se ha podido enviar el comentario. Inténtalo más tarde.",
		COMMENTS_DISABLED: "Aquí no se admiten comentarios.",
		COMMENTS_CLOSED: "Los comentarios están cerrados.",
		COMMENT_REJECTED: "Este comentario no se ha aceptado.",
		NOT_FOUND: "Esta página ya no admite comentarios.",
		VALIDATION_ERROR: "Falta algo, o algo no es correcto.",
		authorName: "Escribe tu nombre.",
		authorEmail: "Escribe tu correo electrónico. Solo lo ve la moderación.",
		body: "Escribe algo, como mucho 5.000 caracteres.",
		parentId: "El comentario al que respondes ya no existe.",
	},
};

const of = <T>(table: Record<string, T>, locale: string): T => {
	const language = locale.split(/[-_]/)[0]?.toLowerCase() ?? "";

	return Object.hasOwn(table, language) ? (table[language] as T) : (table.en as T);
};

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
