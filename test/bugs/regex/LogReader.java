package regex;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads lines of a server's log: address, time, request, status and bytes. */
final class LogReader {
    private static final Pattern LINE =
            Pattern.of("^(?<address>\\d{1,3}(?:\\.\\d{1,3}){3}) \\[(?<time>[^\\]]+)\\] \"(?<method>[A-Z]+) "
                    + "(?<path>\\S+)[^\"]*\" (?<status>\\d{3}) (?<bytes>\\d+|-)$");
    private static final Pattern NUMBERS = Pattern.of("/\\d+");

    record Entry(String address, String time, String method, String path, int status, long bytes) {}

    private final List<Entry> entries = new ArrayList<>();
    private final List<String> rejected = new ArrayList<>();

    LogReader read(String text) {
        for (String line : Pattern.of("\r?\n").split(text)) {
            if (line.isEmpty())
                continue;
            Match match = LINE.find(line);
            if (match == null) {
                rejected.add(line);
                continue;
            }
            String bytes = match.group("bytes");
            entries.add(new Entry(match.group("address"), match.group("time"), match.group("method"),
                    match.group("path"), Integer.parseInt(match.group("status")),
                    bytes.equals("-") ? 0 : Long.parseLong(bytes)));
        }
        return this;
    }

    List<Entry> entries() {
        return entries;
    }

    List<String> rejected() {
        return rejected;
    }

    /** Requests by path, in which numbers are left out. */
    Map<String, Integer> paths() {
        Map<String, Integer> counts = new TreeMap<>();
        for (Entry entry : entries)
            counts.merge(NUMBERS.replace(entry.path(), "/N"), 1, Integer::sum);
        return counts;
    }

    long bytes(int status) {
        long sum = 0;
        for (Entry entry : entries)
            if (entry.status() == status)
                sum += entry.bytes();
        return sum;
    }
}
