package ledger;

import java.util.ArrayList;
import java.util.List;

/** A sum that is paid back in equal monthly payments. */
final class Loan {
    record Payment(Day day, Money interest, Money principal, Money left) {
        Money total() {
            return interest.plus(principal);
        }
    }

    private final Money sum;
    private final long rate; // hundredths of a percent a year
    private final int months;
    private final Day begin;

    Loan(Money sum, long rate, int months, Day begin) {
        if (months < 1 || sum.units() <= 0)
            throw new LedgerException("no such loan");
        this.sum = sum;
        this.rate = rate;
        this.months = months;
        this.begin = begin;
    }

    Money payment() {
        if (rate == 0)
            return sum.part(1, months);
        double monthly = rate / 120_000.0;
        double factor = Math.pow(1 + monthly, months);
        return new Money(Math.round(sum.units() * monthly * factor / (factor - 1)), sum.currency());
    }

    /** The last payment is what is left. */
    List<Payment> plan() {
        List<Payment> plan = new ArrayList<>();
        Money payment = payment();
        Money left = sum;
        for (int i = 1; i <= months; i++) {
            Money interest = left.part(rate, 120_000);
            Money principal = i == months ? left : payment.minus(interest);
            if (principal.compareTo(left) > 0)
                principal = left;
            left = left.minus(principal);
            plan.add(new Payment(begin.plusMonths(i), interest, principal, left));
        }
        return plan;
    }

    /** Posts a payment of the plan. */
    static Entry post(Books books, Payment p, String cash, String loan, String interest) {
        return books.post(books.begin(p.day(), "loan")
                .add(books.account(loan), p.principal())
                .add(books.account(interest), p.interest())
                .add(books.account(cash), p.total().negated()));
    }
}
