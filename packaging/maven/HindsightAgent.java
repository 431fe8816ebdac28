import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/**
 * Agent and command of Hindsight inside a jar, which has them below hindsight/linux-MACHINE/. They are unpacked into
 * the user's own cache folder, whose name has their checksum, when they are not there yet. Java 8 and java.base do.
 */
public final class HindsightAgent {
    private static final String USAGE = "java -jar hindsight-agent.jar path: prints the agent's path, for -agentpath:\n"
            + "java -jar hindsight-agent.jar hindsight COMMAND...: runs the command\n"
            + "java -javaagent:hindsight-agent.jar[=KEY=VALUE,...] ...: attaches the agent before main runs";

    private static final String FORBIDDEN = "-XX:+DisableAttachMechanism";

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 1 && args[0].equals("path")) {
            System.out.println(unpack().resolve("lib/libhindsight.so"));
        } else if (args.length >= 1 && args[0].equals("hindsight")) {
            System.exit(run(Arrays.asList(args).subList(1, args.length)));
        } else {
            System.err.println(USAGE);
            System.exit(2);
        }
    }

    /** For -javaagent:. What goes wrong is told; the program runs all the same, unrecorded. */
    public static void premain(String options) {
        try {
            String pid = new File("/proc/self").getCanonicalFile().getName();
            List<String> words = new ArrayList<>(Arrays.asList("attach", pid));
            if (options != null && !options.isEmpty()) words.add(options);
            String given = new String(Files.readAllBytes(Paths.get("/proc/self/cmdline")));
            given += System.getenv("JAVA_TOOL_OPTIONS");
            if (given.contains(FORBIDDEN)) // else the JVM would answer with a list of its threads on standard output
                throw new IOException(FORBIDDEN + " forbids to attach");
            if (run(words) != 0) System.err.println("hindsight: this run is not recorded");
        } catch (IOException e) {
            System.err.println("hindsight: this run is not recorded: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Its exit status. */
    private static int run(List<String> words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(words);
        command.add(0, unpack().resolve("bin/hindsight").toString());
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        if (words.get(0).equals("attach")) builder.redirectOutput(new File("/dev/stderr")); // the program's is its own
        return builder.start().waitFor();
    }

    /** The folder with bin/hindsight and lib/libhindsight.so. */
    private static Path unpack() throws IOException {
        String arch = System.getProperty("os.arch");
        String machine = arch.equals("amd64") ? "x86_64" : arch;
        String inside = "/hindsight/linux-" + machine + "/";
        Properties about = new Properties();
        try (InputStream in = HindsightAgent.class.getResourceAsStream(inside + "about.properties")) {
            if (in == null || !System.getProperty("os.name").equals("Linux"))
                throw new IOException("this jar has no agent for " + System.getProperty("os.name") + " on " + arch);
            about.load(in);
        }
        String folder = about.getProperty("version") + "-" + machine + "-" + about.getProperty("sum");
        Path root;
        try {
            root = Files.createDirectories(cache().resolve("hindsight")).resolve(folder);
            Files.createDirectories(root);
        } catch (IOException e) { // no home, or one that cannot be written
            root = Files.createTempDirectory("hindsight");
        }
        for (String name : new String[] { "lib/libhindsight.so", "bin/hindsight" }) {
            Path file = root.resolve(name);
            if (Files.exists(file)) continue;
            Files.createDirectories(file.getParent());
            Path part = Files.createTempFile(file.getParent(), "part", null);
            try (InputStream in = HindsightAgent.class.getResourceAsStream(inside + name)) {
                Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE); // two may unpack at once
        }
        return root;
    }

    private static Path cache() {
        String named = System.getenv("XDG_CACHE_HOME");
        if (named != null && named.startsWith("/")) return Paths.get(named);
        return Paths.get(System.getProperty("user.home"), ".cache");
    }
}
