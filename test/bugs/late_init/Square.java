package late_init;

class Square extends Shape {
    private final int side;

    Square(int side) {
        this.side = side;
    }

    @Override
    String name() {
        return "square";
    }

    @Override
    int area() {
        return side * side;
    }
}
