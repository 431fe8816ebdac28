package library_cache;

class Thumbnails {
    private final LruCache<String, String> cache = new LruCache<>(2);
    private int made;

    String of(String image) {
        String small = cache.get(image);
        if (small == null) {
            made++;
            small = "small " + image;
            cache.put(image, small);
        }
        return small;
    }

    int made() {
        return made;
    }
}
