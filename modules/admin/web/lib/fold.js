// fold.js - folds texts for searching, as the server does (core/base/fold.c, adr 0076).

/** Each character of `from`, with what replaces it. @param {string} from @param {string} to @returns {[string, string][]} */
function pairs(from, to) {
	return [...from].map((c) => [c, to]);
}

/** Apostrophes, quotes, hyphens and other signs that are replaced before and after the decomposition. */
const SIGNS = new Map([
	...pairs("´ʹʻʼʽʾʿˈ՚׳‘’‛′‵ꞌ", "'"),
	...pairs("״“”„‟", '"'),
	...pairs("‐‑‒–—―−", "-"),
	...pairs("ـ", ""),
	...pairs("℠™", " "),
]);
/** Letters that do not decompose, in lower case, and forms of the same Arabic letter: pairs, a blank between them. */
const LETTERS = new Map(
	/** @type {[string, string][]} */ (
		(
			"æ ae ð d ø o þ th đ d ħ h ı i ĸ k ł l ŋ n œ oe ŧ t ƀ b ƈ c ƌ d ƒ f ƙ k ƚ l ƞ n ƥ p ƭ t ƴ y ƶ z ǥ g ȥ z ȷ j ȼ c ȿ s ɀ z ɇ e ɉ j ɋ q ɍ r ɏ y ɓ b ɔ o " +
			"ɖ d ɗ d ə e ɛ e ɠ g ɨ i ɫ l ɲ n ɵ o ɽ r ʉ u ʋ v ґ г ғ г җ ж қ к ҝ к ң н ү у ұ у ҳ х ҷ ч ө о ة ه ى ي ٱ ا ک ك ھ ه ہ ه ی ي ە ه " +
			"٠ 0 ١ 1 ٢ 2 ٣ 3 ٤ 4 ٥ 5 ٦ 6 ٧ 7 ٨ 8 ٩ 9 ۰ 0 ۱ 1 ۲ 2 ۳ 3 ۴ 4 ۵ 5 ۶ 6 ۷ 7 ۸ 8 ۹ 9"
		)
			.match(/\S+ \S+/g)
			.map((pair) => pair.split(" "))
	),
);

/** Characters that stay composed: kana, their voicing marks, and Korean syllables. */
const COMPOSED = /[ぁ-ヿ゙゚가-힣]/;
const VOICED = /[゙゚]/;
/** Sequences of parts that are composed to such characters. */
const PARTS = /[ぁ-ヿ][゙゚]|[ᄀ-ᇿ가-힣]+/g;

/**
 * Returns true for a character that folding removes: an invisible one, or a mark of a combining class other than 0.
 * Marks of class 0, such as vowels of Indic scripts, are letters. JavaScript cannot look a class up, but normalization
 * moves a mark of another class before U+0345, which has the highest class.
 * @param {string} c
 */
const isDropped = (c) =>
	/\p{Me}|\p{Default_Ignorable_Code_Point}/u.test(c) ||
	(/\p{M}/u.test(c) && !VOICED.test(c) && (c === "\u0345" || `\u0345${c}`.normalize("NFD") !== `\u0345${c}`));

/** @param {string} c one character */
function foldOne(c) {
	if (COMPOSED.test(c)) return c;
	if (SIGNS.has(c)) return SIGNS.get(c);
	return [...c.normalize("NFKD")]
		.filter((part) => !isDropped(part))
		.map(
			(part) =>
				SIGNS.get(part) ??
				[...part.toLowerCase().toUpperCase().toLowerCase()]
					.map((one) => LETTERS.get(one) ?? one)
					.join(""),
		)
		.join("");
}

/** The text without case, accents and other marks. @param {string} text */
export const fold = (text) =>
	/^[\0-\x7f]*$/.test(text)
		? text.toLowerCase()
		: [...text]
				.map(foldOne)
				.join("")
				.replace(PARTS, (parts) => parts.normalize("NFC"));

/** True if `text` contains `typed`, ignoring case and accents. @param {string} text @param {string} typed */
export const holds = (text, typed) => fold(text).includes(fold(typed.trim()));
