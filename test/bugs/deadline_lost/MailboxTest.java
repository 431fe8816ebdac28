package deadline_lost;

import static org.junit.Assert.*;

import org.junit.Test;

public class MailboxTest {
    Mailbox box = new Mailbox();

    @Test
    public void there() throws Exception {
        box.put("hello");
        assertEquals("hello", box.take());
    }

    @Test(timeout = 1000)
    public void comes() throws Exception {
        Thread sender =
                new Thread(
                        () -> {
                            while (!waits(this)) Thread.onSpinWait();
                            box.put("hello");
                        });
        receiver = Thread.currentThread();
        sender.start();
        assertEquals("hello", box.take());
    }

    volatile Thread receiver;

    static boolean waits(MailboxTest test) {
        return test.receiver.getState() == Thread.State.WAITING;
    }
}
