package scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What ran, as text. */
final class Report {
    private final List<Run> runs;

    Report(Scheduler scheduler) {
        runs = new ArrayList<>(scheduler.history());
    }

    /** The times at which runs of a job began. */
    List<String> starts(String job) {
        List<String> starts = new ArrayList<>();
        for (Run run : runs)
            if (run.job().name().equals(job) && run.started() != null)
                starts.add(run.started().toString());
        return starts;
    }

    int count(String job, Run.State state) {
        int count = 0;
        for (Run run : runs)
            if (run.job().name().equals(job) && run.state() == state)
                count++;
        return count;
    }

    /** Minutes from when it was due until it began, on the average. */
    double delay(String job) {
        long sum = 0;
        int count = 0;
        for (Run run : runs)
            if (run.job().name().equals(job) && run.started() != null) {
                sum += run.started().minutes() - run.due().minutes();
                count++;
            }
        return count == 0 ? 0 : (double) sum / count;
    }

    private static final class Line {
        int done;
        int failed;
        int skipped;
        long minutes;
    }

    String table() {
        Map<String, Line> lines = new TreeMap<>();
        for (Run run : runs) {
            Line line = lines.computeIfAbsent(run.job().name(), name -> new Line());
            switch (run.state()) {
                case DONE:
                    line.done++;
                    break;
                case FAILED:
                    line.failed++;
                    break;
                default:
                    line.skipped++;
                    break;
            }
            if (run.started() != null)
                line.minutes += run.ended().minutes() - run.started().minutes();
        }
        StringBuilder out = new StringBuilder(String.format("%-10s %5s %6s %7s %7s%n", "job", "done", "failed",
                "skipped", "minutes"));
        for (Map.Entry<String, Line> entry : lines.entrySet()) {
            Line line = entry.getValue();
            out.append(String.format("%-10s %5d %6d %7d %7d%n", entry.getKey(), line.done, line.failed, line.skipped,
                    line.minutes));
        }
        return out.toString();
    }

    /** A bar for each run, a column for each `step` minutes. */
    String chart(Clock from, Clock to, long step) {
        StringBuilder out = new StringBuilder();
        for (Run run : runs) {
            if (run.started() == null || run.ended().compareTo(from) <= 0 || run.started().compareTo(to) >= 0)
                continue;
            out.append(String.format("%-10s |", run.job().name()));
            for (long at = from.minutes(); at < to.minutes(); at += step)
                out.append(run.started().minutes() < at + step && run.ended().minutes() > at ? '=' : ' ');
            out.append("|\n");
        }
        return out.toString();
    }
}
