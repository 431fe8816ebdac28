package wrong_variable;

class Box {
    private final int width, height, depth;

    Box(int width, int height, int depth) {
        this.width = width;
        this.height = height;
        this.depth = depth;
    }

    int surface() {
        int front = width * height, side = height * depth;
        // repair wrong-variable: int top = width * depth;
        int top = width * height;
        return 2 * (front + side + top);
    }
}
