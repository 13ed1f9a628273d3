# What the tests of modules share.
POSTS = t/module/lib/posts.c t/module/lib/posts.h
SEARCHED = t/module/lib/searched.c t/module/lib/searched.h t/module/lib/posts.c t/module/lib/posts.h \
	t/module/lib/inside.c t/module/lib/inside.h
JUDGED = t/module/lib/judged.c t/module/lib/judged.h $(SEARCHED)
USED = t/module/lib/used.c t/module/lib/used.h t/module/lib/posts.c t/module/lib/posts.h \
	t/module/lib/inside.c t/module/lib/inside.h
# An object store on loopback.
BUCKET = t/module/lib/bucket.c t/module/lib/bucket.h t/module/lib/bucketask.c t/module/lib/bucketask.h
