# The admin pages in Chromium. bench-admin measures them with a collection of BENCH_ITEMS (1,000,000), and beside
# EmDash, which bench-peers installs.
NPM_SUITES += admin-check bench-admin
admin-check bench-admin: web $(DEMO_PLUGINS) t/plugins/pager/pager.la t/plugins/diary/diary.la
EXTRA_DIST += \
	t/admin/README \
	t/admin/activity.mjs \
	t/admin/approvals.mjs \
	t/admin/articles.mjs \
	t/admin/beside.mjs \
	t/admin/blocks.mjs \
	t/admin/bundle.mjs \
	t/admin/editor-people.mjs \
	t/admin/editor-refused.mjs \
	t/admin/editor-writing.mjs \
	t/admin/editor.mjs \
	t/admin/entry.mjs \
	t/admin/files.mjs \
	t/admin/frames.mjs \
	t/admin/hostile.mjs \
	t/admin/keyboard.mjs \
	t/admin/large.mjs \
	t/admin/list.mjs \
	t/admin/looks.mjs \
	t/admin/main.mjs \
	t/admin/media.mjs \
	t/admin/package-lock.json \
	t/admin/package.json \
	t/admin/lan.mjs \
	t/admin/people.mjs \
	t/admin/shell.mjs \
	t/admin/site-forms.mjs \
	t/admin/site-frames.mjs \
	t/admin/site-imports.mjs \
	t/admin/site-pages.mjs \
	t/admin/site-programs.mjs \
	t/admin/site-schema.mjs \
	t/admin/site.mjs \
	t/admin/structure.mjs \
	t/admin/tasks.mjs \
	t/admin/tasks.txt \
	t/admin/together.mjs \
	t/admin/tour.mjs \
	t/admin/trees.mjs \
	t/admin/units.mjs \
	t/admin/voices.mjs \
	t/admin/voices.txt
