package deadlock;

class Transfer {
    static class Account {
        final int number;
        int balance;

        Account(int number, int balance) {
            this.number = number;
            this.balance = balance;
        }
    }

    static void move(Account from, Account to, int amount, Runnable between) {
        // repair lock-order: Account first = from.number < to.number ? from : to;
        Account first = from;
        synchronized (first) {
            between.run();
            synchronized (first == from ? to : from) {
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }
}
