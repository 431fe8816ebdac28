/** The sum of a basket, which another discount makes another one: for docs/diff.md. */
public class Basket {
    final int discount;

    Basket(int discount) {
        this.discount = discount;
    }

    int price(String name) {
        int price = name.length() * 100;
        if (price > 500)
            price = reduced(price);
        return price;
    }

    int reduced(int price) {
        if (discount > 50)
            check(price);
        return price - price * discount / 100;
    }

    void check(int price) {
        if (price > 1000)
            throw new IllegalArgumentException("too much: " + price);
    }

    public static void main(String[] args) {
        Basket basket = new Basket(Integer.parseInt(args[0]));
        System.out.println(basket.price("ink") + basket.price("pencils"));
    }
}
