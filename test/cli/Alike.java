/** Exceptions that are alike and some that only nearly are. Argument: rounds. */
public class Alike {
    static class Own extends RuntimeException {
        final int round;

        Own(int round) {
            super("kept");
            this.round = round;
        }

        @Override
        public String getMessage() {
            return "own " + round % 3;
        }
    }

    static int used;

    static void refuse(int i) {
        switch (i % 7) {
            case 0: throw new IllegalStateException("state " + i % 5);
            case 1: throw new IllegalStateException("state " + i % 5, i % 2 == 0 ? null : new Error("deep " + i));
            case 2: throw new IllegalArgumentException((String) null);
            case 3: throw new Own(i);
            case 4: throw new RuntimeException(new Exception("cause"));
            case 5: throw new IllegalStateException("");
            default: used += ((int[]) null).length;
        }
    }

    static void twice(int i) {
        try {
            refuse(i);
        } catch (IllegalArgumentException x) {
            throw x;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            try {
                if (i % 3 == 0)
                    twice(i);
                else
                    refuse(i);
            } catch (RuntimeException x) {
                if (i % 4 == 0)
                    used += x.hashCode() & 1;
            }
        }
        refuse(0);
    }
}
