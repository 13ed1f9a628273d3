// search.js - finds parts of the manual that have all words, titles first. The index is loaded when somebody searches.
const input = document.querySelector("input[type=search]");
const found = document.querySelector("#found");
const article = document.querySelector("article");
let loading;

const load = () => {
	loading ??= new Promise((resolve, reject) => {
		const script = document.createElement("script");

		script.src = "index.js";
		script.onload = resolve;
		script.onerror = reject;
		document.head.append(script);
	});
	return loading;
};

const weight = (part, words) => {
	const [, page, head, text] = part.map((one) => one.toLowerCase());

	if (!words.every((word) => page.includes(word) || head.includes(word) || text.includes(word))) return 0;
	return words.reduce((sum, word) => sum + (head.includes(word) ? 4 : 0) + (page.includes(word) ? 2 : 0) + 1, 0);
};

const excerpt = (text, word) => {
	const at = Math.max(0, text.toLowerCase().indexOf(word) - 60);

	return (at > 0 ? "… " : "") + text.slice(at, at + 160);
};

const show = (words) => {
	const hits = index
		.map((part) => ({ part, weight: weight(part, words) }))
		.filter((hit) => hit.weight > 0)
		.sort((a, b) => b.weight - a.weight)
		.slice(0, 30);
	const list = document.createElement("ul");

	for (const { part } of hits) {
		const [href, page, head, text] = part;
		const item = document.createElement("li");
		const link = document.createElement("a");
		const about = document.createElement("p");

		link.href = href;
		link.textContent = head ? `${page}: ${head}` : page;
		about.textContent = excerpt(text, words[0]);
		item.append(link, about);
		list.append(item);
	}
	found.replaceChildren(hits.length > 0 ? list : "Nothing has these words.");
};

input.addEventListener("input", async () => {
	const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);

	found.hidden = words.length === 0;
	article.hidden = words.length > 0;
	if (words.length === 0) return;
	await load();
	show(words);
});
input.form.addEventListener("submit", (event) => event.preventDefault());
found.addEventListener("click", (event) => {
	if (!event.target.closest("a")) return;
	input.value = "";
	found.hidden = true;
	article.hidden = false;
});
document.addEventListener("keydown", (event) => {
	if (event.key === "/" && document.activeElement !== input) {
		event.preventDefault();
		input.focus();
	}
});
