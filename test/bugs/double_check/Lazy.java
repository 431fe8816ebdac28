package double_check;

import java.util.ArrayList;
import java.util.List;

class Lazy {
    private List<String> words;
    private boolean loaded;

    private void load() {
        // repair order: words = new ArrayList<>(); loaded = true;
        loaded = true;
        if (loaded) return;
        words = new ArrayList<>();
    }

    void add(String word) {
        if (!loaded) load();
        words.add(word);
    }

    int count() {
        return loaded ? words.size() : 0;
    }
}
