package sublist_view;

import java.util.ArrayList;
import java.util.List;

class History {
    private final List<String> pages = new ArrayList<>();

    void visit(String page) {
        pages.add(page);
    }

    List<String> latest(int n) {
        // repair aliasing: return new ArrayList<>(pages.subList(pages.size() - n, pages.size()));
        return pages.subList(pages.size() - n, pages.size());
    }

    int count() {
        return pages.size();
    }
}
