package listener_twice;

class Counter implements Runnable {
    private int clicks;

    void show(Button button) {
        button.onClick(this);
    }

    @Override
    public void run() {
        clicks++;
    }

    int clicks() {
        return clicks;
    }
}
