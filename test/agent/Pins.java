/* Numbers and texts that redact= hides go through methods that have no such place (redact.sh). */
public class Pins {
    int pin; double rate; String password; int shown;
    int twice(int x) { int y = x * 2; return y; }
    double half(double d, int x) { double h = d / 2; for (int i = 0; i < 3; i++) h += i; return h; }
    int read() { return twice(pin); }
    double rated() { return half(rate, shown); }
    int plain(int n) { int s = 0; for (int i = 0; i < n; i++) s += twice(i); return s; }
    String name(String s) { String t = s + "!"; return t; }
    String pass() { return name(password); }
    static int chained(int q) { return q + 1; }
    int deep() { return chained(chained(pin)); }
    int ret() { return pin; }
    int useRet() { int z = ret(); int w = z + 1; return twice(w); }
    public static void main(String[] a) {
        Pins p = new Pins(); p.pin = 77001; p.rate = 8.5; p.password = "tops" + "ecret" + a.length; p.shown = 4;
        long sum = 0;
        for (int i = 0; i < 50; i++) {
            sum += p.read() + (long) p.rated() + p.plain(i) + p.pass().length() + p.deep() + p.useRet();
            p.pin++;
        }
        System.out.println(sum);
    }
}
