# Files in a bucket, with an S3 server and an implementation of signatures that others have written.
NPM_SUITES += s3
EXTRA_DIST += \
	t/s3/README \
	t/s3/checker.mjs \
	t/s3/main.mjs \
	t/s3/package-lock.json \
	t/s3/package.json
