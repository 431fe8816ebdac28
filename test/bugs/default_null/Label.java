package default_null;

class Label {
    static String of(Users.User user) {
        return user.name + ", " + initials(user.city);
    }

    private static String initials(String city) {
        return city.substring(0, 1).toUpperCase() + city.substring(1);
    }
}
