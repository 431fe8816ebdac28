// A wrong total by a hidden field: the one order of a member, among many, gets no discount.
// ask: hindsight record -o T -- java -cp classes WrongTotal ORDERS
// answer: total ORDERS00, expected
// ask: hindsight history MemberOrder.discount T
// answer: PUT_INSTANCE_FIELD_VALUE 10 *MemberOrder.<init>
// answer: of *MemberOrder#{order}
// ask: hindsight object {order} T
// answer: *$Order.discount 0
// ask: hindsight print --object {order} T
// answer: PUT_INSTANCE_FIELD *MemberOrder#{order} *MemberOrder.<init>:{CAUSE} *discount
// answer: GET_INSTANCE_FIELD *MemberOrder#{order} *Order.total:
public class WrongTotal {
    static class Order {
        protected int price;
        protected int discount;

        int total() {
            return price - discount;
        }
    }

    static class MemberOrder extends Order {
        private int discount; // hides that of Order, which total() uses

        MemberOrder() {
            discount = 10; // CAUSE: Order.discount stays 0
        }
    }

    private int total;

    void add(boolean member) {
        Order order = member ? new MemberOrder() : new Order();
        order.price = 100;
        total += order.total();
    }

    public static void main(String[] args) {
        int orders = Integer.parseInt(args[0]);
        WrongTotal shop = new WrongTotal();
        for (int i = 0; i < orders; i++)
            shop.add(i == orders / 10 * 9);
        System.out.println("total " + shop.total + ", expected " + (orders * 100 - 10));
    }
}
