package not_thrown;

class Ages {
    private int total, count;

    void add(int age) {
        // repair wrong-operator: if (age < 0 || age > 150) {
        if (age < 0 && age > 150) {
            throw new IllegalArgumentException("age " + age);
        }
        total += age;
        count++;
    }

    int mean() {
        return count == 0 ? 0 : total / count;
    }
}
