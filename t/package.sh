# package.sh - for the tests of a package of npm (t/NAME/run of etc/NAME), which is used as it was packed in the build tree
# (STET_BUILD; STET_SOURCE is the source).
: "${STET_BUILD:?}" "${STET_SOURCE:?}"

# unpack NAME makes $tests, an empty directory, with the package unpacked where Node finds it, the files of t/NAME, the
# package's README.md, and the report that all tests of packages print. Ends the program where there is no npm.
unpack() {
	if ! command -v npm >/dev/null 2>&1; then
		echo "1..0 # SKIP $1: there is no npm"
		exit 0
	fi
	tests=$STET_BUILD/t/$1
	package=$(sed -n 's|^	"name": "\(.*\)",|\1|p' "$STET_SOURCE/etc/$1/package.json")
	rm -rf "$tests"
	mkdir -p "$tests/node_modules/$package" "$STET_BUILD/t/mcp"
	cp "$STET_SOURCE/t/$1"/*.* "$STET_SOURCE/etc/$1/README.md" "$tests"
	cp "$STET_SOURCE/t/mcp/report.mjs" "$STET_BUILD/t/mcp"
	tar -xzf "$STET_BUILD/$(echo "$package" | tr -d @ | tr / -)"-[0-9]*.tgz \
		-C "$tests/node_modules/$package" --strip-components=1
	[ ! -d "$STET_BUILD/$1/node_modules/typescript" ] ||
		ln -s "$STET_BUILD/$1/node_modules/typescript" "$tests/node_modules/typescript"
	echo '{ "private": true, "type": "module" }' >"$tests/package.json"
}
