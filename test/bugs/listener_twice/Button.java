package listener_twice;

import java.util.ArrayList;
import java.util.List;

class Button {
    private final List<Runnable> listeners = new ArrayList<>();

    void onClick(Runnable listener) {
        // repair duplicate: if (!listeners.contains(listener)) listeners.add(listener);
        listeners.add(listener);
    }

    void click() {
        for (Runnable listener : listeners) listener.run();
    }
}
