package recursion;

import java.util.ArrayList;
import java.util.List;

class Folder {
    private final int size;
    private final List<Folder> inside = new ArrayList<>();

    Folder(int size) {
        this.size = size;
    }

    Folder add(Folder folder) {
        inside.add(folder);
        return this;
    }

    int total() {
        int sum = size;
        for (Folder folder : inside) {
            // repair recursion: sum += folder.total();
            sum += folder.size;
        }
        return sum;
    }
}
