// colours.js - the page of the colours.
const form = document.querySelector("form"),
	body = document.querySelector("tbody"),
	problem = document.querySelector(".problem");
const path = (name) => `/plugins/swatches/colours/${encodeURIComponent(name)}`;

function cell(tag, ...children) {
	const one = document.createElement(tag);

	one.append(...children);
	return one;
}

function row({ name, value }) {
	const chip = cell("span"),
		out = cell("button", "Remove");

	chip.className = "chip";
	chip.style.background = value;
	out.ariaLabel = `Remove ${name}`;
	out.addEventListener("click", () =>
		work(async () => {
			await stet.delete(path(name));
			stet.toast(`${name} is removed`);
		}),
	);
	const head = cell("th", chip, " ", name);
	head.scope = "row";
	return cell("tr", head, cell("td", value), cell("td", out));
}

async function load() {
	const { items } = await stet.get("/plugins/swatches/colours");

	body.replaceChildren(...items.map(row));
	stet.title(`Colours (${items.length})`);
}

/** Runs an action, then shows its result or its error. */
async function work(fn) {
	try {
		await fn();
		await load();
		problem.hidden = true;
	} catch (error) {
		problem.textContent = error.message;
		problem.hidden = false;
	}
}

form.addEventListener("submit", (event) => {
	const name = form.elements.name.value;

	event.preventDefault();
	void work(async () => {
		await stet.put(path(name), { value: form.elements.value.value });
		stet.toast(`${name} is kept`);
		form.reset();
	});
});
stet.start(() => work(() => {}));
