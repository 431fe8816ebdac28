package big_decimal;

import java.math.BigDecimal;

class Invoice {
    private BigDecimal due;

    Invoice(String due) {
        this.due = new BigDecimal(due);
    }

    void pay(String amount) {
        due = due.subtract(new BigDecimal(amount));
    }

    boolean isPaid() {
        // repair equals: return due.signum() == 0;
        return due.equals(BigDecimal.ZERO);
    }
}
