package spreadsheet;

/** Sheets as text: a line for each row, values between commas. */
final class Csv {
    private Csv() {}

    static Sheet read(String text) {
        Sheet sheet = new Sheet();
        int row = 0;
        for (String line : text.split("\n", -1)) {
            readLine(sheet, row, line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
            row++;
        }
        return sheet;
    }

    private static void readLine(Sheet sheet, int row, String line) {
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        int column = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                field.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                put(sheet, column++, row, field);
            } else {
                field.append(c);
            }
        }
        put(sheet, column, row, field);
    }

    private static void put(Sheet sheet, int column, int row, StringBuilder field) {
        if (field.length() > 0)
            sheet.set(new Ref(column, row), field.toString());
        field.setLength(0);
    }

    static String write(Sheet sheet, boolean formulas) {
        Range used = sheet.used();
        StringBuilder out = new StringBuilder();
        for (Ref ref : used) {
            if (ref.column() > 0)
                out.append(',');
            else if (ref.row() > 0)
                out.append('\n');
            String field = formulas ? sheet.typed(ref) : sheet.value(ref).toString();
            out.append(escaped(field));
        }
        return out.append('\n').toString();
    }

    private static String escaped(String field) {
        if (field.indexOf(',') < 0 && field.indexOf('"') < 0)
            return field;
        return '"' + field.replace("\"", "\"\"") + '"';
    }
}
