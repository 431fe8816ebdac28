package archive;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public class ArchiveTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] noise(int count) {
        byte[] data = new byte[count];
        int x = 1;
        for (int i = 0; i < count; i++) {
            x = x * 1103515245 + 12345;
            data[i] = (byte) (x >>> 16);
        }
        return data;
    }

    @Test
    public void bits() {
        BitWriter out = new BitWriter();
        out.write(5, 3);
        out.write(0x1234, 16);
        out.writeCode(6, 3);
        BitReader in = new BitReader(out.bytes());
        assertEquals(5, in.read(3));
        assertEquals(0x1234, in.read(16));
        assertEquals(1, in.readBit());
        assertThrows(IllegalArgumentException.class, () -> out.write(8, 3));
    }

    @Test
    public void compresses() {
        byte[] text = bytes("the tea, the cup, the pot and the tray. ".repeat(8));
        byte[] packed = Compressor.compress(text);
        assertTrue(packed.length < text.length / 2);
        assertArrayEquals(text, Compressor.expand(packed, text.length));
        assertArrayEquals(noise(300), Compressor.expand(Compressor.compress(noise(300)), 300));
        assertArrayEquals(new byte[0], Compressor.expand(Compressor.compress(new byte[0]), 0));
    }

    @Test
    public void damage() {
        Member m = Member.of("x", noise(50), 0);
        assertEquals(Member.Method.STORED, m.method());
        m.packed()[7] ^= 1;
        assertThrows(ArchiveException.class, m::data);
        assertThrows(ArchiveException.class, () -> Archive.read(bytes("nothing")));
        assertEquals(0xcbf43926, Checksum.of(bytes("123456789")));
    }

    @Test
    public void names() {
        Archive archive = new Archive();
        archive.add("a/tea.txt", "tea", 100);
        archive.add("a/cup.txt", "cup", 200);
        archive.add("b.txt", "b", 300);
        assertEquals(List.of("a/tea.txt", "a/cup.txt"), archive.names("a/*.txt"));
        assertEquals("cup", Archive.read(archive.write()).text("a/cup.txt"));
        assertThrows(ArchiveException.class, () -> archive.add("../x", "x", 0));
    }

    @Test
    public void times() {
        assertEquals("2024-02-29 12:30", Time.show(Time.parse("2024-02-29 12:30")));
        assertEquals("1970-01-01 00:00", Time.show(0));
    }

    @Test
    public void backups() {
        Backup backup = new Backup();
        String text = "a line of some length that stays as it is\n".repeat(5);
        backup.save(10, Map.of("a", text, "b", "old"));
        backup.save(20, Map.of("a", "new\n" + text + "end"));
        assertEquals(Map.of("a", "new\n" + text + "end"), backup.restore(25));
        assertEquals("old", backup.restore(10).get("b"));
        assertTrue(backup.size() < text.length() + 50);
    }

    @Test
    public void merges() {
        Archive mine = new Archive();
        mine.add("a.txt", "mine", Time.parse("2024-05-02 10:00"));
        mine.add("b.txt", "mine", Time.parse("2024-05-01 10:00"));
        Archive theirs = new Archive();
        theirs.add("b.txt", "theirs", Time.parse("2024-05-01 12:00"));
        Archive read = Archive.read(mine.write());
        read.merge(Archive.read(theirs.write()));
        assertEquals("mine", read.text("a.txt"));
        assertEquals("theirs", read.text("b.txt"));
    }
}
