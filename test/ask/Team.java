// Two threads that call methods of their own and inherited ones.
public class Team {
    static class Member {
        String name;
        Member(String name) { this.name = name; }
        String greet(String other) { return other + " " + name; }
    }
    static class Captain extends Member {
        Captain(String name) { super(name); }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> new Captain("Ada").greet("hello"), "worker");
        worker.start();
        worker.join();
        new Member("Bob").greet("good bye");
    }
}
