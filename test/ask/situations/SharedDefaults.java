// A value changed through an alias: ann chooses French, and bob gets it too.
// ask: hindsight record -o T -- java -cp classes SharedDefaults
// answer: bob reads fr, expected en
// ask: hindsight history Settings.language T
// answer: {write} * PUT_INSTANCE_FIELD_VALUE "fr"* SharedDefaults.choose
// answer: of *Settings#{settings}
// ask: hindsight locals --at {write} T
// answer: user "ann"
// answer: settings *Settings#{settings}
// ask: hindsight print --object Settings#{settings} --event CALL_RETURN --from {write} T
// answer: {get} * CALL_RETURN *Settings#{settings} SharedDefaults.main
// ask: hindsight why {get} T
// answer: {get} * *Settings#{settings} SharedDefaults.main
// answer: returned by java.util.Map.get, * last given to java.util.Map.put at seq {put}
// answer: {put} * CALL_PARAM *Settings#{settings} *SharedDefaults.register:{CAUSE}
// answer: GET_INSTANCE_FIELD_RESULT *Settings#{settings} *SharedDefaults.register:{CAUSE} *defaults
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
