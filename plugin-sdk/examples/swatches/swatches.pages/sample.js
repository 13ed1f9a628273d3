// sample.js - the widget of a block of rich text: a colour of the house, with words. Its value is {name, value, text}.
const chip = document.querySelector(".chip"),
	select = document.querySelector("select"),
	input = document.querySelector("input");
let now = {};

function show(value) {
	now = value ?? {};
	if (now.name && ![...select.options].some((one) => one.value === now.name))
		select.append(new Option(now.name, now.name));
	select.value = now.name ?? "";
	if (input.value !== (now.text ?? "")) input.value = now.text ?? "";
	chip.style.background = now.value ?? "none";
}

/** Members that this widget does not know stay in the block. */
function change(members) {
	show({ ...now, ...members });
	stet.setValue(now);
}

input.addEventListener("input", () => change({ text: input.value }));
stet.onValue(show);
stet.start(async ({ value }) => {
	const { items } = await stet.get("/plugins/swatches/colours").catch(() => ({ items: [] }));

	select.replaceChildren(new Option("None", ""), ...items.map(({ name }) => new Option(name, name)));
	select.addEventListener("change", () => {
		const { name = "", value: colour = "" } = items.find((one) => one.name === select.value) ?? {};

		change({ name, value: colour });
	});
	show(value);
});
