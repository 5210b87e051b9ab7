package io.sluice.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathNormalizerTest {
    private static final List<String> PIECES = List.of("/", "/", "/", "//", "a", "b.c", ".", "..", "...", "~",
            "%2e", "%2E%2e", "%2F", "%2f", "%25", "%252F", "%2541", "%41", "%7e", "%C3%A9", "%E6%97%A5",
            "%20", "%3F");

    @ParameterizedTest
    @CsvSource({
        "/,                      /",
        "/a,                     /a",
        "/a/,                    /a/",
        "/a/b.c/~d;x=1/@:,       /a/b.c/~d;x=1/@:",
        "/%61%2D%5F,             /a-_",
        "/caf%C3%A9/%e6%97%a5,   /café/日",
        "/%F0%9F%98%80,          /😀",
        "/a%2Fb,                 /a%2Fb",
        "/a%2fb,                 /a%2Fb",
        "/100%25,                /100%25",
        "/%252F,                 /%252F",
        "/%25252f,               /%25252f",
        "/%2561,                 /%2561",
        "/%3F%23%5C,             '/?#\\'",
        "//,                     /",
        "//a///b//,              /a/b/",
        "/.,                     /",
        "/./,                    /",
        "/a/.,                   /a/",
        "/a/./b,                 /a/b",
        "/a/..,                  /",
        "/a/../,                 /",
        "/a/b/..,                /a/",
        "/a/b/../c,              /a/c",
        "/a/%2E%2e/b,            /b",
        "/a/.%2e/b,              /b",
        "/a/%2e/b,               /a/b",
        "/a//../b,               /b",
        "/...,                   /...",
        "/.a/..b/c./d..,         /.a/..b/c./d..",
        "/..%2Fa,                /..%2Fa",
        "/a/..%252F..,           /a/..%252F..",
        "/%2E%2E%2Fa,            /..%2Fa",
    })
    void pathsAreNormalised(String path, String normal) {
        assertThat(PathNormalizer.normalize(path)).isEqualTo(normal);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "/%", "/%4", "/a%", "/%zz", "/%4g", "/%-1", "/%+1", "/% 1", "/%%41",
        "/%00", "/a%0D%0Ab", "/%09", "/%1f", "/%7F", "/%C2%80", "/%c2%9b",
        "/%ff", "/%C3", "/%C3/%A9", "/%C3A", "/%C0%AF", "/%c0%ae%c0%ae/", "/%ED%A0%80", "/%F4%90%80%80",
        "/..", "/../a", "/a/../..", "/a/../../b", "/%2e%2e", "/.%2E/", "/./..", "//..", "/a//../..",
    })
    void invalidPathsAreRejected(String path) {
        assertThatIllegalArgumentException().isThrownBy(() -> PathNormalizer.normalize(path));
    }

    @ParameterizedTest
    @CsvSource({"a, a", "a%2Fb, a/b", "100%25, 100%", "%252F, %2F", "%2525, %25", "%25%2F, %/", "%%, %%"})
    void keptEscapesAreDecoded(String segment, String decoded) {
        assertThat(PathNormalizer.decodeKept(segment)).isEqualTo(decoded);
    }

    @Test
    void resultEqualsThatOfTheReferenceImplementation() {
        var random = new Random(20_26);
        int normalised = 0;
        for (int i = 0; i < 20_000; i++) {
            String path = random.ints(1 + random.nextInt(9), 0, PIECES.size()).mapToObj(PIECES::get)
                    .collect(Collectors.joining("", "/", ""));
            String expected = longWay(path);
            if (expected == null) {
                assertThatIllegalArgumentException().as(path)
                        .isThrownBy(() -> PathNormalizer.normalize(path));
                continue;
            }
            normalised++;
            String normal = PathNormalizer.normalize(path);
            assertThat(normal).as(path).isEqualTo(expected).startsWith("/").doesNotContain("//");
            assertThat(normal.split("/")).as(path).doesNotContain(".", "..");
            assertThat(PathNormalizer.normalize(encoded(normal))).as(path).isEqualTo(normal);
        }
        assertThat(normalised).isGreaterThan(5_000);
    }

    /** Normalises segment by segment with the JDK's decoder; null for a path above the root. */
    private static String longWay(String path) {
        var result = new ArrayDeque<String>();
        String last = "";
        for (String segment : path.substring(1).split("/", -1)) {
            String kept = segment.replaceAll("(?i)%(?=2F|25)", "%25").replace("2f", "2F").replace("+", "%2B");
            last = URLDecoder.decode(kept, StandardCharsets.UTF_8);
            if (last.equals("..") && result.pollLast() == null) {
                return null;
            }
            if (!List.of("", ".", "..").contains(last)) {
                result.add(last);
            }
        }
        boolean directory = List.of("", ".", "..").contains(last);
        return "/" + String.join("/", result) + (directory && !result.isEmpty() ? "/" : "");
    }

    /** Encodes all characters of a normal path except slashes and those that stay encoded. */
    private static String encoded(String normal) {
        var target = new StringBuilder();
        for (String piece : normal.splitWithDelimiters("/|%2F|%25", 0)) {
            if (piece.matches("/|%2F|%25")) {
                target.append(piece);
            } else {
                for (byte b : piece.getBytes(StandardCharsets.UTF_8)) {
                    target.append("%%%02X".formatted(b));
                }
            }
        }
        return target.toString();
    }
}
