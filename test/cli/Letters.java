import java.util.function.IntUnaryOperator;

/** Names with letters beyond the basic plane, which class files write in another way than UTF-8. */
class Letters {
    static int 𝒳(int 𝒶) {
        int 𝒷 = 𝒶 + 1;
        return 𝒷 * 2;
    }

    public static void main(String[] args) {
        int 𝒸 = 𝒳(20);
        IntUnaryOperator 𝒻 = Letters::𝒳;
        System.out.println(𝒻.applyAsInt(𝒸));
    }
}
