package equals_hashcode;

class Point {
    final int x, y;

    Point(int x, int y) {
        this.x = x;
        this.y = y;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Point && ((Point) other).x == x && ((Point) other).y == y;
    }

    @Override
    public int hashCode() {
        // repair equals-hashcode: return 31 * x + y;
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return "(" + x + ", " + y + ")";
    }
}
