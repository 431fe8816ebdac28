package library_cache;

import java.util.LinkedHashMap;
import java.util.Map;

/** A library: a cache that drops what was not used for long. */
class LruCache<K, V> {
    private final int most;
    // repair library: private final Map<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<K, V> entries = new LinkedHashMap<>();

    LruCache(int most) {
        this.most = most;
    }

    V get(K key) {
        return entries.get(key);
    }

    void put(K key, V value) {
        entries.put(key, value);
        if (entries.size() > most) entries.remove(entries.keySet().iterator().next());
    }
}
