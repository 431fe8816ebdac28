package archive;

/** An archive that is malformed, or cannot be made. */
class ArchiveException extends RuntimeException {
    ArchiveException(String message) {
        super(message);
    }
}
