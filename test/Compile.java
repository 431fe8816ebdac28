import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compile SOURCES OUT LIST: compiles the programs of the tests in one JVM (test/classes.sh).
 *
 * Each line of LIST is one run of javac: its options, a tab, and files below SOURCES. The class files of
 * SOURCES/x/A.java, and of no other file, go to OUT/x/A.java/, so that a test gets exactly the classes it names. Exits
 * with status 1 if anything does not compile.
 */
public class Compile {
    /** Puts each class into the folder of the source file it comes from. */
    private static final class BySource extends ForwardingJavaFileManager<StandardJavaFileManager> {
        private final Path sources, out;

        BySource(StandardJavaFileManager files, Path sources, Path out) {
            super(files);
            this.sources = sources;
            this.out = out;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(JavaFileManager.Location where, String name,
            JavaFileObject.Kind kind, FileObject source) throws IOException {
            Path folder = out.resolve(sources.relativize(Path.of(source.toUri())));
            Path file = folder.resolve(name.replace('.', '/') + kind.extension);
            return fileManager.getJavaFileObjects(file).iterator().next();
        }
    }

    public static void main(String[] args) throws IOException {
        Path sources = Path.of(args[0]).toRealPath(), out = Path.of(args[1]);
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        boolean good = true;
        for (String line : Files.readAllLines(Path.of(args[2]))) {
            String[] parts = line.split("\t");
            List<Path> files = Arrays.stream(parts[1].split(" ")).map(sources::resolve).toList();
            try (StandardJavaFileManager standard = javac.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
                JavaFileManager sorted = new BySource(standard, sources, out);
                JavaCompiler.CompilationTask task = javac.getTask(null, sorted, null, List.of(parts[0].split(" ")),
                    null, standard.getJavaFileObjectsFromPaths(files));
                good &= task.call();
            }
        }
        System.exit(good ? 0 : 1);
    }
}
