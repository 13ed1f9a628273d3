// colour.js - the widget: chooses one of the house's colours, or any other colour.
const input = document.querySelector("input"),
	chips = document.querySelector("[data-chips]"),
	said = document.querySelector("code"),
	none = document.querySelector("button");

function show(value) {
	said.textContent = value ?? "";
	none.disabled = value === null;
	if (/^#[0-9a-f]{6}$/.test(value ?? "")) input.value = value;
	for (const chip of chips.children) chip.ariaPressed = String(chip.dataset.value === value);
}

function choose(value) {
	show(value);
	stet.setValue(value);
}

function chipOf({ name, value }) {
	const chip = document.createElement("button");

	chip.type = "button";
	chip.className = "chip";
	chip.title = name;
	chip.ariaLabel = name;
	chip.dataset.value = value;
	chip.style.background = value;
	chip.addEventListener("click", () => choose(value));
	return chip;
}

input.addEventListener("input", () => choose(input.value));
none.addEventListener("click", () => choose(null));
stet.onValue(show);
stet.onProblem((text) => (input.ariaInvalid = String(text !== "")));
stet.start(async ({ field, value }) => {
	// If the house's colours cannot be read, any colour can still be chosen.
	const { items } = await stet.get("/plugins/swatches/colours").catch(() => ({ items: [] }));

	document.querySelector("[role=group]").ariaLabel = field.label;
	input.ariaLabel = field.label;
	chips.replaceChildren(...items.map(chipOf));
	show(value);
});
