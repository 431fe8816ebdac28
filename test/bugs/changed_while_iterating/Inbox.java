package changed_while_iterating;

import java.util.ArrayList;
import java.util.List;

class Inbox {
    private final List<String> mails = new ArrayList<>();

    void receive(String... subjects) {
        for (String subject : subjects) mails.add(subject);
    }

    void dropSpam() {
        for (int i = 0; i < mails.size(); i++) {
            if (mails.get(i).startsWith("WIN")) {
                // repair changed-while-iterating: mails.remove(i--);
                mails.remove(i);
            }
        }
    }

    List<String> subjects() {
        return mails;
    }
}
