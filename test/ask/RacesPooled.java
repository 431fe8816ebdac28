// The same with threads that a pool has made, so that it is not known which thread a Thread object became.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class RacesPooled {
    int safeTask, safeResult;

    public static void main(String[] args) throws Exception {
        RacesPooled r = new RacesPooled();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        r.safeTask = 3;
        pool.submit(() -> {
            Races.use(r.safeTask);
            r.safeResult++;
        }).get();
        Races.use(r.safeResult);
        pool.shutdown();
        Races.main(args);
    }
}
