// A string built in a loop, through a parameter, a return value and a conditional expression.
public class Text {
    static String join(String left, String right) { return left + right; }

    static String build(int n) {
        String text = "";
        for (int i = 0; i < n; i++) {
            String digit = i % 2 == 0 ? "even" : "odd";
            text = join(text, digit);
        }
        return text;
    }

    public static void main(String[] args) {
        String all = build(3);
        System.out.println(all); // evenoddeven
    }
}

// ask: hindsight history Text.build:text T
// answer: LOCAL_STORE ""#
// next: LOCAL_STORE "even"#
// next: LOCAL_STORE "evenodd"#
// next: LOCAL_STORE "evenoddeven"#
// lines: 5
// ask: hindsight history Text.build:digit T
// answer: {even} 0 LOCAL_STORE "even"#
// next: {odd} 0 LOCAL_STORE "odd"#
// next: {third} 0 LOCAL_STORE "even"#
// lines: 4
// ask: hindsight history Text.build:i T
// answer: 0 Text.build
// next: 1 Text.build
// next: 2 Text.build
// next: 3 Text.build
// lines: 5
// ask: hindsight history Text.build:n T
// answer: METHOD_PARAM 3 Text.build
// lines: 2
// ask: hindsight print --event LOCAL_STORE --method main T
// answer: {all} 0 LOCAL_STORE "evenoddeven"#{string} Text.main
// lines: 2
// ask: hindsight why {all} T
// answer: {all} 0 LOCAL_STORE "evenoddeven"#{string} Text.main
// answer: CALL_RETURN "evenoddeven"#{string} Text.main
// answer: METHOD_NORMAL_EXIT "evenoddeven"#{string} Text.build
// answer: LOCAL_LOAD "evenoddeven"#{string} Text.build
// answer: LOCAL_STORE "evenoddeven"#{string} Text.build
// answer: CALL_RETURN "evenoddeven"#{string} Text.build
// answer: METHOD_NORMAL_EXIT "evenoddeven"#{string} Text.join
// answer: INVOKE_DYNAMIC_RESULT "evenoddeven"#{string} Text.join
// next: a string joined from 2 parts
// next: [1.1] seq {left}: "evenodd"#*, part 1 (followed)
// next: [1.2] seq *: "even"#*, part 2
// next: {left} 0 INVOKE_DYNAMIC_PARAM "evenodd"#
// answer: OBJECT_CONSTANT_LOAD ""#* Text.build
// next: a constant of the class file
// next: (constant)
// ask: hindsight why {even} T
// answer: LOCAL_STORE "even"#
// answer: OBJECT_CONSTANT_LOAD "even"#
// lines: 5
// ask: hindsight why {odd} T
// answer: OBJECT_CONSTANT_LOAD "odd"#
// lines: 5
// ask: hindsight object {string} --json T
// answer: {"id":{string},"type":"java.lang.String",*"string":"evenoddeven","length":11,
// ask: hindsight print --event INVOKE_DYNAMIC_RESULT --method join T
// answer: INVOKE_DYNAMIC_RESULT "even"#
// next: {second} 0 INVOKE_DYNAMIC_RESULT "evenodd"#
// ask: hindsight locals --at {second} T
// answer: 1 Text.build
// next: n 3
// next: text "even"#
// next: i 1
// next: digit "odd"#
// next: 2 Text.main
