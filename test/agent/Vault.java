import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Ways in which javac leads a number, 77110011, through code. Each is named, by its own class or by another one. */
public class Vault {
    static class Account {
        int serial;
        static int shared;
        final int[] codes = new int[2];
        String[] words;
        int getSerial() { return serial; }
    }
    static class Sub extends Account { }
    static class SubSub extends Sub { int getSerial() { return super.getSerial(); } }
    interface HasCode { int code(); default int again() { return code(); } }
    static class Base { int code() { return made(); } }
    static class Both extends Base implements HasCode { public int code() { return super.code(); } }
    interface Source<T> { T code(); }
    static class Boxed implements Source<Integer> { public Integer code() { return made(); } } // a bridge, and boxes
    record Card(int pin, String owner) { }
    enum Level { HIGH(made()); final int pin; Level(int pin) { this.pin = pin; } }
    static int made() { return Integer.MAX_VALUE / 27 - 2426420; }
    int pin = made();
    class Inner { int again() { return pin; } }
    int again() { try { return pin; } finally { nothing(); } }
    int code() { synchronized (this) { return pin; } }
    static int code(boolean b, int pin) { return b ? pin : nothing(); }
    static long code(long before, int pin, double behind) { return before + pin + (long) behind; }
    static int count(int... all) { return all.length; }
    static int nothing() { return 1; }
    static void is(boolean ok) { if (!ok) throw new AssertionError(); }
    public static void main(String[] a) {
        Sub s = new Sub();
        s.serial = made(); // the instruction names Sub
        Account account = s;
        Sub.shared = made();
        is(account.serial == s.serial && Account.shared == Sub.shared);
        account.codes[0] = Integer.getInteger("number");
        account.codes[1] = account.codes[0];
        account.words = new String[] {System.getProperty("number"), null};
        account.words[1] = account.words[0];
        is(account.codes[1] == made() && account.words[1].length() == 8);
        SubSub t = new SubSub();
        t.serial = account.getSerial();
        is(t.getSerial() == account.getSerial());
        Both both = new Both();
        HasCode has = both;
        Base base = both;
        is(has.code() == base.code() && has.again() == both.again());
        Source<Integer> source = new Boxed();
        int pin = source.code();
        is(pin == new Boxed().code() && count(pin, 2) == 2);
        Card card = new Card(pin, "me");
        is(card.pin() == pin && card.toString().length() > 5 && card.hashCode() != 0);
        is(card.equals(new Card(pin, "me")));
        is(Level.HIGH.pin == pin);
        Vault v = new Vault();
        is(v.new Inner().again() == v.again() && v.code() == pin);
        IntSupplier code = () -> pin;
        is(((Supplier<Boolean>) () -> pin > 5).get());
        IntUnaryOperator same = made -> made == pin ? 1 : 0;
        Runnable r = new Runnable() { public void run() { is(pin > 5); } };
        class Local { boolean get() { return pin > 6; } }
        r.run();
        is(code != null && new Local().get() && same.applyAsInt(a.length) == 0);
        Supplier<Supplier<String>> nested = () -> () -> "number " + pin;
        is(nested.get().get().length() > 8);
        String text = "pin is " + pin, other = String.valueOf(pin), third = Integer.toString(account.serial) + "!";
        is(text.length() + other.length() + third.length() > 3);
        is(code(a.length == 0, pin) == pin && code(1, pin, 2) > 3);
        switch (pin) { case 5: is(false); break; default: break; }
        s.serial = Integer.parseInt(new StringBuilder("11001177").reverse().toString());
        s.serial = a.length > 5 ? 1 : account.serial;
        System.out.println("fine");
    }
}
