package json;

/** What is wrong with a text, a path or a patch. */
class JsonException extends RuntimeException {
    JsonException(String message) {
        super(message);
    }
}
