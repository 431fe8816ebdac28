package deadline_lost;

import java.util.ArrayDeque;
import java.util.Deque;

class Mailbox {
    private final Deque<String> mails = new ArrayDeque<>();

    synchronized void put(String mail) {
        // repair lost-signal: mails.add(mail); notifyAll();
        mails.add(mail);
    }

    synchronized String take() throws InterruptedException {
        while (mails.isEmpty()) wait();
        return mails.remove();
    }
}
