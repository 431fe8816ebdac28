package late_init;

abstract class Shape {
    private final String label;

    Shape() {
        // repair late-initialisation: label = null;
        label = name() + " of " + area();
    }

    abstract String name();

    abstract int area();

    String label() {
        return label != null ? label : name() + " of " + area();
    }
}
