package archive;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Files in one.
 *
 * <pre>
 * magic, number of members, for each: name, method, size, checksum, time since the one before, data
 * </pre>
 */
final class Archive {
    private static final int MAGIC = 0x31435241;
    private final Map<String, Member> members = new LinkedHashMap<>();

    void add(String name, byte[] data, long modified) {
        if (name.isEmpty() || name.startsWith("/") || name.contains(".."))
            throw new ArchiveException("not a name: " + name);
        members.put(name, Member.of(name, data, modified));
    }

    void add(String name, String text, long modified) {
        add(name, text.getBytes(StandardCharsets.UTF_8), modified);
    }

    boolean remove(String name) {
        return members.remove(name) != null;
    }

    Member member(String name) {
        Member member = members.get(name);
        if (member == null)
            throw new ArchiveException("there is no " + name);
        return member;
    }

    String text(String name) {
        return new String(member(name).data(), StandardCharsets.UTF_8);
    }

    Collection<Member> members() {
        return members.values();
    }

    byte[] write() {
        Bytes.Writer out = new Bytes.Writer().fixed(MAGIC).number(members.size());
        long time = 0;
        for (Member m : members.values()) {
            out.text(m.name()).number(m.method().ordinal()).number(m.size()).fixed(m.checksum());
            out.number(zigzag(m.modified() - time));
            out.block(m.packed());
            time = m.modified();
        }
        return out.bytes();
    }

    static Archive read(byte[] data) {
        Bytes.Reader in = new Bytes.Reader(data);
        if (in.fixed() != MAGIC)
            throw new ArchiveException("not an archive");
        Archive archive = new Archive();
        long time = 0;
        for (long n = in.number(); n > 0; n--) {
            String name = in.text();
            Member.Method method = in.number() == 0 ? Member.Method.STORED : Member.Method.PACKED;
            int size = Math.toIntExact(in.number());
            int checksum = in.fixed();
            time += unzigzag(in.number());
            if (archive.members.put(name, new Member(name, method, size, checksum, time, in.block())) != null)
                throw new ArchiveException(name + " is there twice");
        }
        if (!in.atEnd())
            throw new ArchiveException("something stands behind the end");
        return archive;
    }

    /** 0, -1, 1, -2, ... as 0, 1, 2, 3, ... */
    static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    static long unzigzag(long value) {
        // repair wrong-operator: return value >>> 1 ^ -(value & 1);
        return value >>> 1 ^ (value & 1);
    }

    /** Names by a pattern, in which * stands for anything. */
    List<String> names(String pattern) {
        List<String> names = new ArrayList<>();
        for (String name : members.keySet())
            if (fits(pattern, name))
                names.add(name);
        return names;
    }

    private static boolean fits(String pattern, String name) {
        String[] parts = pattern.split("\\*", -1);
        if (parts.length == 1)
            return name.equals(pattern);
        if (!name.startsWith(parts[0]))
            return false;
        int at = parts[0].length();
        for (int i = 1; i < parts.length - 1; i++) {
            at = name.indexOf(parts[i], at);
            if (at < 0)
                return false;
            at += parts[i].length();
        }
        String last = parts[parts.length - 1];
        return name.length() - at >= last.length() && name.endsWith(last);
    }

    String table() {
        StringBuilder out = new StringBuilder();
        long size = 0;
        long packed = 0;
        for (Member m : members.values()) {
            out.append(String.format("%8d %3d %% %s %s%n", m.size(), m.percent(), Time.show(m.modified()), m.name()));
            size += m.size();
            packed += m.packed().length;
        }
        return out.append(String.format("%8d %3d %% %d files%n", size, size == 0 ? 100 : 100 * packed / size,
                members.size())).toString();
    }

    /** The newest member of each name wins. */
    void merge(Archive other) {
        for (Member theirs : other.members()) {
            Member mine = members.get(theirs.name());
            if (mine == null || theirs.modified() > mine.modified())
                members.put(theirs.name(), theirs);
        }
    }
}
