package io.sluice.gateway.http1;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.arbitraries.ListArbitrary;

/** Generators of requests: valid ones by the grammar of RFC 9112, and broken ones. */
final class FuzzedRequests {
    private static final String TOKEN = "!#$%&'*+-.^_`|~09azAZ";
    private static final String ODD =
            "\r\n\t \0:;,/%#?*\\\"=+-_.0159aAfFxX\u000b\u000c\u007f\u0080\u0085\u00a0\u00ff";
    private static final List<String> PIECES = List.of("\r\n", "\r\n ", "\r\n\t", "\r\n\r\n", "\r", "\n", " ",
            "Host: b\r\n", "HTTP/1.1", "HTTP/1.0", "Content-Length: 3\r\n", "Content-Length: 0\r\n",
            "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n", "0\r\n\r\n", "5\r\nhello\r\n",
            "5;a=\"b\"\r\n", "7fffffff\r\n", "%2e%2e/", "Expect: 100-continue\r\n", "Connection: close\r\n",
            "X: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n");

    private FuzzedRequests() {
    }

    /** A request in Latin-1, and its body. */
    record Sample(String text, String body) {
    }

    /** Returns valid requests, in a pipeline. */
    static ListArbitrary<Sample> requests() {
        return request().list().ofMinSize(1).ofMaxSize(4);
    }

    private static Arbitrary<Sample> request() {
        return Combinators.combine(Arbitraries.integers().between(0, 2), target(), fields(), body())
                .as((emptyLines, target, fields, body) -> {
                    String host = target.startsWith("h") ? "Host: b" : "HOST:\t[::1]:80 ";
                    String head = (body.body.isEmpty() ? "GET " : "POST ") + target + " HTTP/1.1\r\n"
                            + fields + host + "\r\n";
                    return new Sample("\r\n".repeat(emptyLines) + head + body.text, body.body);
                });
    }

    private static Arbitrary<String> target() {
        return Arbitraries.of("/", "/a/b?c=d", "//a/./..//", "/%c3%a9", "/?", "http://a/", "hTTp://[::1]:80?a",
                "http://a", "/a%2Fb;c");
    }

    private static Arbitrary<String> fields() {
        Arbitrary<String> name = Arbitraries.strings().withChars(TOKEN).ofMinLength(1).ofMaxLength(9)
                .map(token -> "X-" + token);
        return Combinators.combine(name, blanks(), text(9), blanks())
                .as((field, before, value, after) -> field + ':' + before + value + after + "\r\n")
                .list().ofMaxSize(3).map(fields -> String.join("", fields));
    }

    private static Arbitrary<String> blanks() {
        return Arbitraries.strings().withChars(" \t").ofMaxLength(2);
    }

    /** Returns texts that are allowed in a field value or a quoted string. */
    private static Arbitrary<String> text(int longest) {
        return Arbitraries.strings().withChars(TOKEN + "\t :;,/()=\u0080\u00ff").ofMaxLength(longest);
    }

    private static Arbitrary<Sample> body() {
        Arbitrary<String> data = Arbitraries.strings().withCharRange('\0', '\u00ff').withChars("\r\n0")
                .ofMaxLength(40);
        Arbitrary<Sample> measured = Combinators.combine(data, blanks(), zeros())
                .as((body, blanks, zeros) -> new Sample("Content-Length:" + blanks + zeros + body.length()
                        + "\r\n\r\n" + body, body));
        return Arbitraries.oneOf(Arbitraries.just(new Sample("\r\n", "")), measured, chunked(data));
    }

    private static Arbitrary<String> zeros() {
        return Arbitraries.strings().withChars('0').ofMaxLength(3);
    }

    private static Arbitrary<Sample> chunked(Arbitrary<String> data) {
        Arbitrary<Sample> chunk = Combinators.combine(data.filter(body -> !body.isEmpty()), zeros(),
                extensions(), Arbitraries.of(true, false)).as((body, zeros, extensions, capitals) -> {
                    String size = Integer.toHexString(body.length());
                    String line = zeros + (capitals ? size.toUpperCase(Locale.ROOT) : size) + extensions;
                    return new Sample(line + "\r\n" + body + "\r\n", body);
                });
        return Combinators.combine(chunk.list().ofMaxSize(4), zeros(), extensions(), fields())
                .as((chunks, zeros, extensions, trailers) -> new Sample(
                        "Transfer-Encoding: Chunked\r\n\r\n" + joined(chunks, true) + zeros + '0' + extensions
                                + "\r\n" + trailers + "\r\n", joined(chunks, false)));
    }

    private static String joined(List<Sample> chunks, boolean framed) {
        var text = new StringBuilder();
        chunks.forEach(chunk -> text.append(framed ? chunk.text : chunk.body));
        return text.toString();
    }

    private static Arbitrary<String> extensions() {
        Arbitrary<String> token = Arbitraries.strings().withChars(TOKEN).ofMinLength(1).ofMaxLength(4);
        Arbitrary<String> value = Arbitraries.oneOf(Arbitraries.just(""), token.map(text -> '=' + text),
                text(6).map(text -> "=\"" + text + '"'), Arbitraries.just(" = \"\\\"\\\\\""));
        return Combinators.combine(blanks(), token, value)
                .as((blanks, name, rest) -> blanks + ';' + name + rest)
                .list().ofMaxSize(2).map(all -> String.join("", all));
    }

    /** Returns requests that were cut off and changed in a few places. */
    static Arbitrary<String> broken() {
        return Combinators.combine(requests(), change().list().ofMaxSize(4)).as((samples, changes) -> {
            var text = new StringBuilder(joined(samples, true));
            changes.forEach(change -> change.apply(text));
            return text.toString();
        });
    }

    private record Change(int kind, double where, char odd, String piece) {
        void apply(StringBuilder text) {
            int at = (int) (where * text.length());
            switch (kind) {
                case 0 -> text.insert(at, odd);
                case 1 -> text.insert(at, piece);
                case 2 -> text.insert(at, text.substring(at, Math.min(text.length(), at + 30)));
                case 3 -> text.replace(at, Math.min(text.length(), at + 1), "");
                case 4 -> text.replace(at, Math.min(text.length(), at + 1), String.valueOf(odd));
                default -> text.setLength(at);
            }
        }
    }

    private static Arbitrary<Change> change() {
        return Combinators.combine(Arbitraries.integers().between(0, 5), Arbitraries.doubles().between(0, 1),
                Arbitraries.chars().with(ODD), Arbitraries.of(PIECES)).as(Change::new);
    }

    /** Returns lengths of pieces, to be used in turn. */
    static Arbitrary<List<Integer>> cuts() {
        return Arbitraries.integers().between(1, 40).list().ofMinSize(1).ofMaxSize(5);
    }

    static List<String> cut(String text, List<Integer> lengths) {
        var pieces = new ArrayList<String>();
        for (int from = 0, i = 0; from < text.length(); i++) {
            int to = Math.min(text.length(), from + lengths.get(i % lengths.size()));
            pieces.add(text.substring(from, to));
            from = to;
        }
        return pieces;
    }
}
