// A slow method: removing doubles takes longer than everything else.
// ask: hindsight record -o T --weave EXEC+PARAM --option timestamp=true -- java -cp classes SlowMethod
// answer: 4000 of 8000 names
// ask: hindsight report --limit 1 T
// answer: 8000 * SlowMethod.has(
// ask: hindsight print --method has --event METHOD_ENTRY,METHOD_PARAM --limit 3 T
// answer: METHOD_ENTRY *SlowMethod.has:{CAUSE}
// answer: METHOD_PARAM ArrayList#* SlowMethod.has:{CAUSE} *names
import java.util.ArrayList;
import java.util.List;

public class SlowMethod {
    static List<String> names(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++)
            names.add("name " + i % (count / 2));
        return names;
    }

    static boolean has(List<String> names, String wanted) {
        for (String name : names) // CAUSE: looks at every name, for every name
            if (name.equals(wanted))
                return true;
        return false;
    }

    static List<String> distinct(List<String> names) {
        List<String> distinct = new ArrayList<>();
        for (String name : names)
            if (!has(distinct, name))
                distinct.add(name);
        return distinct;
    }

    static String longest(List<String> names) {
        String longest = "";
        for (String name : names)
            if (name.length() > longest.length())
                longest = name;
        return longest;
    }

    public static void main(String[] args) {
        List<String> names = names(8000);
        longest(names);
        System.out.println(distinct(names).size() + " of " + names.size() + " names");
    }
}
