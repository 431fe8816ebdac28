package scheduler;

import java.util.ArrayList;
import java.util.List;

/**
 * Jobs as lines of text.
 *
 * <pre>
 * resource database 2
 * job backup at 30 2 * * * lasting 45 needs database
 * job report after backup retry 3 every 10 priority 5
 * </pre>
 */
final class Config {
    private final List<Job> jobs = new ArrayList<>();
    private final Resources resources = new Resources();

    static Config parse(String text) {
        Config config = new Config();
        int number = 0;
        for (String line : text.split("\n")) {
            number++;
            String[] words = line.trim().split(" +");
            if (words[0].isEmpty() || words[0].startsWith("#"))
                continue;
            try {
                config.add(words);
            } catch (RuntimeException e) {
                throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
            }
        }
        return config;
    }

    List<Job> jobs() {
        return jobs;
    }

    Scheduler scheduler(int workers, String start) {
        return new Scheduler(jobs, resources, workers, Clock.parse(start));
    }

    private void add(String[] words) {
        switch (words[0]) {
            case "resource":
                resources.add(words[1], Integer.parseInt(words[2]));
                break;
            case "job":
                jobs.add(job(words));
                break;
            default:
                throw new IllegalArgumentException("what is '" + words[0] + "'?");
        }
    }

    private static Job job(String[] words) {
        Job.Builder builder = Job.named(words[1]);
        int times = 0;
        for (int i = 2; i < words.length;) {
            String key = words[i++];
            switch (key) {
                case "at":
                    if (words[i].startsWith("@")) {
                        builder.at(words[i++]);
                    } else {
                        builder.at(String.join(" ", List.of(words).subList(i, i + 5)));
                        i += 5;
                    }
                    break;
                case "after":
                    builder.after(words[i++].split(","));
                    break;
                case "needs":
                    builder.needs(words[i++].split(","));
                    break;
                case "lasting":
                    builder.lasting(Long.parseLong(words[i++]));
                    break;
                case "priority":
                    builder.priority(Integer.parseInt(words[i++]));
                    break;
                case "retry":
                    times = Integer.parseInt(words[i++]);
                    break;
                case "every":
                    builder.retry(Retry.fixed(times, Long.parseLong(words[i++])));
                    break;
                case "from":
                    builder.retry(Retry.growing(times, Long.parseLong(words[i++]), Clock.DAY));
                    break;
                default:
                    throw new IllegalArgumentException("what is '" + key + "'?");
            }
        }
        return builder.build();
    }
}
