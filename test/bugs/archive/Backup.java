package archive;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** States of a folder: the first one whole, later ones as what has changed. */
final class Backup {
    private static final class State {
        final long time;
        final Map<String, byte[]> deltas = new TreeMap<>(); // of files that have changed
        final Map<String, byte[]> whole = new TreeMap<>(); // of new ones
        final Set<String> deleted = new TreeSet<>();

        State(long time) {
            this.time = time;
        }
    }

    private final List<State> states = new ArrayList<>();
    private Map<String, byte[]> last = new HashMap<>();

    void save(long time, Map<String, String> folder) {
        if (!states.isEmpty() && states.get(states.size() - 1).time >= time)
            throw new ArchiveException("time goes back");
        State state = new State(time);
        Map<String, byte[]> now = new HashMap<>();
        for (Map.Entry<String, String> file : folder.entrySet()) {
            byte[] data = file.getValue().getBytes(StandardCharsets.UTF_8);
            byte[] before = last.get(file.getKey());
            now.put(file.getKey(), data);
            if (before == null)
                state.whole.put(file.getKey(), data);
            else if (!java.util.Arrays.equals(before, data))
                state.deltas.put(file.getKey(), Delta.make(before, data));
        }
        for (String name : last.keySet())
            if (!now.containsKey(name))
                state.deleted.add(name);
        states.add(state);
        last = now;
    }

    /** The folder as it was at that time. */
    Map<String, String> restore(long time) {
        Map<String, byte[]> files = new HashMap<>();
        for (State state : states) {
            if (state.time > time)
                break;
            files.keySet().removeAll(state.deleted);
            files.putAll(state.whole);
            for (Map.Entry<String, byte[]> delta : state.deltas.entrySet())
                files.put(delta.getKey(), Delta.apply(files.get(delta.getKey()), delta.getValue()));
        }
        Map<String, String> folder = new TreeMap<>();
        for (Map.Entry<String, byte[]> file : files.entrySet())
            folder.put(file.getKey(), new String(file.getValue(), StandardCharsets.UTF_8));
        return folder;
    }

    int size() {
        int bytes = 0;
        for (State state : states) {
            for (byte[] data : state.whole.values())
                bytes += data.length;
            for (byte[] data : state.deltas.values())
                bytes += data.length;
        }
        return bytes;
    }

    /** As an archive of the newest state. */
    Archive archive() {
        Archive archive = new Archive();
        long time = states.isEmpty() ? 0 : states.get(states.size() - 1).time;
        for (Map.Entry<String, String> file : restore(time).entrySet())
            archive.add(file.getKey(), file.getValue(), time);
        return archive;
    }
}
