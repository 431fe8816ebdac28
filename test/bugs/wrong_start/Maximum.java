package wrong_start;

class Maximum {
    static int of(int... values) {
        // repair wrong-start: int most = Integer.MIN_VALUE;
        int most = 0;
        for (int value : values) if (value > most) most = value;
        return most;
    }

    static int range(int... temperatures) {
        int least = Integer.MAX_VALUE;
        for (int value : temperatures) least = Math.min(least, value);
        return of(temperatures) - least;
    }
}
