// record: weave=ALL,e=Handed$Up
/** The constructor of a class that is not woven writes a field after a woven method, which it calls, wrote it. */
class Handed {
    static class Up {
        int x;

        Up() {
            init();
            x = 7;
        }

        void init() {}
    }

    static class Down extends Up {
        int own;

        Down(int v) { own = v; }

        @Override
        void init() {
            x = 12;
        }
    }

    static class Plain {
        int y;

        Plain() { y = 5; }
    }

    public static void main(String[] args) {
        Down down = new Down(6);
        Plain plain = new Plain();
        System.out.println(down.own + plain.y);
    }
}
