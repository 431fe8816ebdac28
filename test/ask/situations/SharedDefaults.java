/* A value changed through an alias: ann chooses French, and bob gets it too.
 *
 * $ hindsight record -o T -- java -cp classes SharedDefaults
 * > bob reads fr, expected en
 * $ hindsight history Settings.language T
 * > (?P<write>\d+) \d+ PUT_INSTANCE_FIELD_VALUE "fr"\S* SharedDefaults.choose
 * > of \S*Settings#(?P<settings>\d+)
 * $ hindsight locals --at {write} T
 * > user "ann"
 * > settings \S*Settings#{settings}
 * $ hindsight print --object Settings#{settings} --event CALL_RETURN --from {write} T
 * > (?P<get>\d+) \d+ CALL_RETURN \S*Settings#{settings} SharedDefaults.main
 * $ hindsight why {get} T
 * > {get} .* \S*Settings#{settings} SharedDefaults.main
 * > returned by java.util.Map.get, .* last given to java.util.Map.put at seq (?P<put>\d+)
 * > {put} \d+ CALL_PARAM \S*Settings#{settings} .*SharedDefaults.register:{CAUSE}
 * > GET_INSTANCE_FIELD_RESULT \S*Settings#{settings} .*SharedDefaults.register:{CAUSE} .*defaults
 */
import java.util.HashMap;
import java.util.Map;

public class SharedDefaults {
    static class Settings {
        private String language = "en";
    }

    private final Settings defaults = new Settings();
    private final Map<String, Settings> byUser = new HashMap<>();

    void register(String user) {
        byUser.put(user, defaults); // CAUSE: the same object for every user
    }

    void choose(String user, String language) {
        Settings settings = byUser.get(user);
        settings.language = language;
    }

    public static void main(String[] args) {
        SharedDefaults site = new SharedDefaults();
        site.register("ann");
        site.register("bob");
        site.choose("ann", "fr");
        System.out.println("bob reads " + site.byUser.get("bob").language + ", expected en");
    }
}
