// A bank whose two tellers lose an update: both read 100 before either writes. Latches make it happen every time.
import java.util.concurrent.CountDownLatch;

public class Bank {
    static class Account {
        int balance;
        Account(int opening) { balance = opening; }
    }

    static final CountDownLatch bothHaveRead = new CountDownLatch(2), firstHasWritten = new CountDownLatch(1);

    static void deposit(Account account, int amount, boolean first) {
        int seen = account.balance; // READ
        bothHaveRead.countDown();
        try {
            bothHaveRead.await();
            if (!first)
                firstHasWritten.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        account.balance = seen + amount; // WRITE
        firstHasWritten.countDown();
    }

    public static void main(String[] args) throws Exception {
        Account account = new Account(100); // MADE
        Thread anna = new Thread(() -> deposit(account, 30, true), "anna");
        Thread berta = new Thread(() -> deposit(account, 7, false), "berta");
        anna.start();
        while (bothHaveRead.getCount() == 2) // so that the threads have the same numbers in every run
            Thread.sleep(1);
        berta.start();
        anna.join();
        berta.join();
        int result = account.balance;
        System.out.println("balance " + result); // 107, not 137
    }
}

// ask: hindsight threads T
// answer: {main} * main
// answer: {anna} * anna
// answer: {berta} * berta
// ask: hindsight history Account.balance T
// answer: {opened} {main} PUT_INSTANCE_FIELD_VALUE 100 Bank$Account.<init>
// next: of Bank$Account#{account}.Bank$Account.balance
// next: {anna} PUT_INSTANCE_FIELD_VALUE 130 Bank.deposit:{WRITE}
// next: of Bank$Account#{account}.Bank$Account.balance
// next: {written} {berta} PUT_INSTANCE_FIELD_VALUE 107 Bank.deposit:{WRITE}
// next: of Bank$Account#{account}.Bank$Account.balance
// lines: 7
// ask: hindsight history {account}.balance T
// answer: {opened} {main}
// answer: {written} {berta}
// lines: 7
// ask: hindsight print --event GET_INSTANCE_FIELD_RESULT --method main T
// answer: {seen} {main} GET_INSTANCE_FIELD_RESULT 107
// lines: 2
// ask: hindsight last-write {account}.balance --before {seen} T
// answer: {written} {berta} PUT_INSTANCE_FIELD_VALUE 107 Bank.deposit:{WRITE}
// lines: 2
// ask: hindsight last-write Account.balance --before {written} T
// answer: {anna} PUT_INSTANCE_FIELD_VALUE 130
// ask: hindsight why {seen} T
// answer: {main} GET_INSTANCE_FIELD_RESULT 107
// next: field balance, last written at seq {written} by another thread
// answer: {written} {berta} PUT_INSTANCE_FIELD_VALUE 107
// next: stored: iadd of
// next: [2.1] *: 100, left of + (followed)
// next: [2.2] *: 7, right of +
// next: {berta} LOCAL_LOAD 100
// next: read from local seen
// next: {berta} LOCAL_STORE 100
// next: stored:
// next: {berta} GET_INSTANCE_FIELD_RESULT 100 Bank.deposit:{READ}
// answer: {main} CALL_PARAM 100
// next: argument of the call: constant 100
// next: (constant)
// ask: hindsight locals --at {written} T
// next: 0 Bank.deposit:{WRITE}
// next: account Bank$Account#{account}
// next: amount 7
// next: first false
// next: seen 100
// next: 1 Bank.lambda$main$1:
// next: account Bank$Account#{account}
// lines: 7
// ask: hindsight object {account} --at {opened} T
// answer: Bank$Account.balance 100
// ask: hindsight print --value #{account} T
// answer: {first} {main}
// answer: {created} {main} NEW_OBJECT_CREATED * Bank.main:{MADE}
// answer: {last} {main} GET_INSTANCE_FIELD Bank$Account#{account} Bank.main
// ask: hindsight object {account} T
// next: Bank$Account#{account}
// next: created {created} Bank.main:{MADE}
// next: first {first}
// next: last {last}
// next: Bank$Account.balance 107
// lines: 5
// ask: events T Bank$Account
// answer: PUT_INSTANCE_FIELD_VALUE 1
// ask: hindsight print T
// answer: METHOD_ENTRY
