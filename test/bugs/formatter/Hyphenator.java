package formatter;

/** Where words may be broken: between a vowel and two consonants, or at a hyphen that is there. */
final class Hyphenator {
    private static final String VOWELS = "aeiouyAEIOUY";
    private static final int LEAST = 2;

    private static boolean isVowel(char c) {
        return VOWELS.indexOf(c) >= 0;
    }

    private static boolean isConsonant(char c) {
        return Character.isLetter(c) && !isVowel(c);
    }

    /** The longest begin of the word that fits with its hyphen; null: there is none. */
    String begin(String word, int room) {
        for (int length = Math.min(room, word.length() - 1); length >= LEAST; length--) {
            if (word.charAt(length - 1) == '-')
                return word.substring(0, length);
            if (length < room && isBreak(word, length))
                return word.substring(0, length) + "-";
        }
        return null;
    }

    private static boolean isBreak(String word, int at) {
        if (at < LEAST || word.length() - at < LEAST)
            return false;
        for (int i = 0; i < word.length(); i++)
            if (!Character.isLetter(word.charAt(i)) && i <= at)
                return false;
        char before = word.charAt(at - 1);
        char behind = word.charAt(at);
        char next = word.charAt(at + 1);
        if (isVowel(before))
            return isConsonant(behind) && isVowel(next);
        return isConsonant(before) && isConsonant(behind) && isVowel(word.charAt(at - 2));
    }
}
