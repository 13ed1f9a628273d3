# site.sh - for tests of imports by the command: a site and a directory of its source, both in $work. Needs command.sh.
# shellcheck shell=sh

# Begins a new site with these locales ("en" if none are given), and a new, empty source.
site() {
	rm -rf "$work/site" "$work/source" "$work/_redirects"
	mkdir "$work/source"
	printf 'site main {\n\thosts = { "*" }\n\tbase-url = "https://a.example"\n\tdata = "%s"\n\tlocales = { %s }\n}\n' \
		"$work/site" "${1:-\"en\"}" >"$work/site.conf"
	on init
}

# Runs the command with that site.
on() {
	run --config "$work/site.conf" "$@" </dev/null
}

# Puts a small picture into the source: NAME.
gif() {
	mkdir -p "$(dirname "$work/source/$1")"
	printf 'GIF89a\1\0\1\0\200\0\0\0\0\0\377\377\377!\371\4\1\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;' >"$work/source/$1"
}
