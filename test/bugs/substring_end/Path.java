package substring_end;

class Path {
    static String extension(String path) {
        int dot = path.lastIndexOf('.');
        // repair off-by-one: return dot < 0 ? "" : path.substring(dot + 1);
        return dot < 0 ? "" : path.substring(dot + 1, path.length() - 1);
    }

    static String kind(String path) {
        switch (extension(path)) {
            case "java":
                return "source";
            case "":
                return "folder";
            default:
                return "unknown";
        }
    }
}
