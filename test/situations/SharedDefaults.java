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
 * $ hindsight print --method register --where 'value == "ann" || value == "bob" || value == #{settings}' T
 * > CALL_PARAM "ann"\S* .*SharedDefaults.register:{CAUSE}
 * > CALL_PARAM \S*Settings#{settings} .*SharedDefaults.register:{CAUSE}
 * > CALL_PARAM "bob"\S* .*SharedDefaults.register:{CAUSE}
 * > CALL_PARAM \S*Settings#{settings} .*SharedDefaults.register:{CAUSE}
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
