package lost_update;

class Account {
    private int balance;
    private final Runnable audit;

    Account(Runnable audit) {
        this.audit = audit;
    }

    // repair lost-update +3: synchronized void deposit(int amount) {
    void deposit(int amount) {
        int before = balance;
        audit.run();
        balance = before + amount;
    }

    synchronized int balance() {
        return balance;
    }
}
