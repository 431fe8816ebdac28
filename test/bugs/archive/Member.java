package archive;

/** A file of an archive. */
record Member(String name, Method method, int size, int checksum, long modified, byte[] packed) {
    enum Method {
        STORED,
        PACKED
    }

    static Member of(String name, byte[] data, long modified) {
        byte[] packed = Compressor.compress(data);
        boolean smaller = packed.length < data.length;
        return new Member(name, smaller ? Method.PACKED : Method.STORED, data.length, Checksum.of(data), modified,
                smaller ? packed : data.clone());
    }

    byte[] data() {
        byte[] data = method == Method.STORED ? packed.clone() : Compressor.expand(packed, size);
        if (data.length != size || Checksum.of(data) != checksum)
            throw new ArchiveException(name + " is damaged");
        return data;
    }

    int percent() {
        return size == 0 ? 100 : (int) (100L * packed.length / size);
    }
}
