package io.sluice.gateway.routing;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Normalises the path of a request before routing: decodes percent-encoded octets as UTF-8, merges repeated
 * slashes, and resolves dot segments (RFC 3986 section 6.2.2). {@code %2F} and {@code %25} remain encoded, so
 * that a slash within a segment does not separate segments and nothing is decoded twice.
 */
public final class PathNormalizer {

    private PathNormalizer() {
    }

    /**
     * Normalises a path that begins with a slash.
     *
     * @throws IllegalArgumentException for a broken percent-encoding, bytes that are not UTF-8,
     *     control characters, or a path that climbs above its root
     */
    public static String normalize(String path) {
        if (isNormal(path)) {
            return path;
        }
        return resolve(path.indexOf('%') < 0 ? path : withoutControls(utf8(decode(path))));
    }

    private static boolean isNormal(String path) {
        if (path.indexOf('%') >= 0) {
            return false;
        }
        for (int slash = 0; slash >= 0; slash = path.indexOf('/', slash + 1)) {
            int next = slash + 1;
            if (next < path.length() && (path.charAt(next) == '/' || path.charAt(next) == '.')) {
                return false;
            }
        }
        return true;
    }

    private static ByteBuffer decode(String path) {
        ByteBuffer bytes = ByteBuffer.allocate(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c != '%') {
                bytes.put((byte) c);
                continue;
            }
            int octet = octet(path, i);
            if (octet == '/' || octet == '%') {
                bytes.put((byte) '%').put((byte) path.charAt(i + 1)).put((byte) upper(path.charAt(i + 2)));
            } else {
                bytes.put((byte) octet);
            }
            i += 2;
        }
        return bytes.flip();
    }

    /**
     * Checks that the query of a target is valid UTF-8, because its decoder replaces malformed input by
     * U+FFFD.
     *
     * @throws IllegalArgumentException for a malformed percent-encoding or bytes that are not UTF-8
     */
    static void requireUtf8Query(String target) {
        int query = target.indexOf('?');
        for (int i = query; i >= 0 && i < target.length(); i++) {
            if (target.charAt(i) == '%' || target.charAt(i) > 0x7f) {
                utf8(decode(target.substring(query)));
                return;
            }
        }
    }

    private static int hexDigit(char c) {
        return HexFormat.isHexDigit(c) ? HexFormat.fromHexDigit(c) : -1;
    }

    private static char upper(char hex) {
        return hex == 'f' ? 'F' : hex;
    }

    private static int octet(String path, int percent) {
        int high = percent + 1 < path.length() ? hexDigit(path.charAt(percent + 1)) : -1;
        int low = percent + 2 < path.length() ? hexDigit(path.charAt(percent + 2)) : -1;
        if (high < 0 || low < 0) {
            throw new IllegalArgumentException("a broken percent-encoding in the path");
        }
        return high << 4 | low;
    }

    private static String utf8(ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("bytes that are not UTF-8 in the path", e);
        }
    }

    private static String withoutControls(String path) {
        if (path.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a control character in the path");
        }
        return path;
    }

    private static String resolve(String path) {
        var result = new StringBuilder(path.length());
        int at = 1;
        while (at <= path.length()) {
            int slash = path.indexOf('/', at);
            int end = slash < 0 ? path.length() : slash;
            boolean last = slash < 0;
            String segment = path.substring(at, end);
            switch (segment) {
                case "" -> { }
                case "." -> { }
                case ".." -> {
                    if (result.isEmpty()) {
                        throw new IllegalArgumentException("a path that climbs above its root");
                    }
                    result.setLength(result.lastIndexOf("/"));
                }
                default -> result.append('/').append(segment);
            }
            boolean directory = segment.isEmpty() || segment.equals(".") || segment.equals("..");
            if (last && directory) {
                result.append('/');
            }
            at = end + 1;
        }
        return result.toString();
    }

    /** Decodes the octets that {@link #normalize} leaves encoded. */
    static String decodeKept(String segment) {
        return segment.indexOf('%') < 0 ? segment : segment.replace("%2F", "/").replace("%25", "%");
    }
}
