// record: weave=EXEC+CALL+PARAM+FIELD+SYNC
// ClassLocks without events of constants.
public class ClassLocksPlain {
    public static void main(String[] args) throws Exception {
        ClassLocks.main(args);
    }
}
