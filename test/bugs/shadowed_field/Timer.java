package shadowed_field;

class Timer {
    private int seconds;

    Timer(int minutes, int seconds) {
        // repair shadowing: this.seconds = seconds + 60 * minutes;
        seconds = seconds + 60 * minutes;
    }

    boolean tick() {
        if (seconds == 0) return false;
        seconds--;
        return true;
    }
}
