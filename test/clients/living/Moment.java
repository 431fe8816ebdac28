/** What the debugger calls in the program, for its recording to have the moment. */
public class Moment {
    public static void at(int place) { }
}
