/* A wrong total by a hidden field: the one order of a member, among many, gets no discount.
 *
 * $ hindsight record -o T -- java -cp classes WrongTotal ORDERS
 * > total ORDERS00, expected
 * $ hindsight history MemberOrder.discount T
 * > PUT_INSTANCE_FIELD_VALUE 10 \S*MemberOrder.<init>
 * > of \S*MemberOrder#(?P<order>\d+)
 * $ hindsight object {order} T
 * > \S*\$Order.discount 0
 * $ hindsight print --object {order} T
 * > PUT_INSTANCE_FIELD \S*MemberOrder#{order} \S*MemberOrder.<init>:{CAUSE} .*discount
 * > GET_INSTANCE_FIELD \S*MemberOrder#{order} \S*Order.total:
 */
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
