package ledger;

import java.util.ArrayList;
import java.util.List;

/**
 * Books as text, and back.
 *
 * <pre>
 * account 1000 ASSET EUR Cash
 * 2024-01-31 rent
 *   4000 500.00 EUR
 *   1000 -500.00 EUR
 * </pre>
 */
final class Journal {
    private Journal() {}

    static Books read(String text) {
        Books books = new Books();
        Entry entry = null;
        int number = 0;
        for (String line : text.split("\n")) {
            number++;
            try {
                if (line.isBlank() || line.startsWith("#"))
                    continue;
                if (line.startsWith(" ")) {
                    if (entry == null)
                        throw new LedgerException("a posting without an entry");
                    String[] parts = line.trim().split(" +", 2);
                    entry.add(books.account(parts[0]), Money.parse(parts[1]));
                    continue;
                }
                if (entry != null)
                    books.post(entry);
                entry = null;
                if (line.startsWith("account "))
                    openAccount(books, line);
                else
                    entry = books.begin(line.substring(0, 10), line.substring(10).trim());
            } catch (RuntimeException e) {
                throw new LedgerException("line " + number + ": " + e.getMessage());
            }
        }
        if (entry != null)
            books.post(entry);
        return books;
    }

    private static void openAccount(Books books, String line) {
        String[] parts = line.split(" +", 5);
        if (parts.length < 5)
            throw new LedgerException("not an account: " + line);
        books.open(parts[1], parts[4], Account.Kind.valueOf(parts[2]), Currency.of(parts[3]));
    }

    static String write(Books books) {
        List<String> lines = new ArrayList<>();
        for (Account a : books.accounts())
            lines.add("account " + a.number() + " " + a.kind() + " " + a.currency() + " " + a.name());
        for (Entry entry : books.entries()) {
            lines.add(entry.day() + " " + entry.text());
            for (Posting posting : entry.postings())
                lines.add("  " + posting.account().number() + " " + posting.amount());
        }
        return String.join("\n", lines) + "\n";
    }
}
