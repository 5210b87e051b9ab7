package io.sluice.handlers.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link FlatHeaders} behave like Netty's headers after the same random changes. */
class FlatHeadersTest {
    private static final List<CharSequence> NAMES = List.of("host", "Host", AsciiString.cached("HOST"), "x-a",
            AsciiString.cached("x-b"), "accept", "content-length", "date", "x");
    private static final List<Object> VALUES = List.of("1", AsciiString.cached("70000"), "a, b", "", 17,
            (short) 3, new Date(0), "Thu, 01 Jan 1970 00:00:09 GMT", 5_000_000_000L);
    private static final List<BiConsumer<HttpHeaders, Random>> CHANGES = List.of(
            (headers, random) -> headers.add(name(random), value(random)),
            (headers, random) -> headers.add(name(random), value(random)),
            (headers, random) -> headers.add(name(random).toString(), value(random)),
            (headers, random) -> headers.add(name(random), List.of(value(random), value(random))),
            (headers, random) -> headers.addInt(name(random), random.nextInt()),
            (headers, random) -> headers.addShort(name(random), (short) random.nextInt()),
            (headers, random) -> headers.set(name(random), value(random)),
            (headers, random) -> headers.set(name(random).toString(), value(random)),
            (headers, random) -> headers.set(name(random), List.of(value(random), value(random))),
            (headers, random) -> headers.setInt(name(random), random.nextInt()),
            (headers, random) -> headers.setShort(name(random), (short) random.nextInt()),
            (headers, random) -> headers.remove(name(random)),
            (headers, random) -> headers.remove(name(random).toString()),
            (headers, random) -> headers.add(new DefaultHttpHeaders().add("x-c", "c").add("x-a", "d")),
            (headers, random) -> {
                if (random.nextInt(20) == 0) {
                    headers.clear();
                }
            });

    private static CharSequence name(Random random) {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private static Object value(Random random) {
        return VALUES.get(random.nextInt(VALUES.size()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isChangedAndReadAsNettysAre(long seed) {
        HttpHeaders flat = new FlatHeaders(1);
        HttpHeaders netty = new DefaultHttpHeaders();
        var choice = new Random(seed);
        for (int step = 0; step < 400; step++) {
            BiConsumer<HttpHeaders, Random> change = CHANGES.get(choice.nextInt(CHANGES.size()));
            long same = choice.nextLong();
            change.accept(flat, new Random(same));
            change.accept(netty, new Random(same));
            assertSame(flat, netty);
        }
    }

    /** Parses a date; null without a value, for which Netty's headers throw. */
    private static Long date(String value) {
        Date date = value == null || value.isEmpty() ? null : DateFormatter.parseHttpDate(value);
        return date == null ? null : date.getTime();
    }

    private static List<String> lines(List<? extends Map.Entry<?, ?>> entries) {
        return entries.stream().map(entry -> entry.getKey() + ": " + entry.getValue()).toList();
    }

    private static void assertSame(HttpHeaders flat, HttpHeaders netty) {
        assertThat(lines(flat.entries())).isEqualTo(lines(netty.entries()));
        assertThat(flat.size()).isEqualTo(netty.size());
        assertThat(flat.isEmpty()).isEqualTo(netty.isEmpty());
        // flat.names() has duplicates
        assertThat(new TreeSet<>(flat.names())).isEqualTo(new TreeSet<>(netty.names()));
        assertThat(lines(flat.copy().entries())).isEqualTo(lines(netty.entries()));
        var iterated = new ArrayList<Map.Entry<CharSequence, CharSequence>>();
        flat.iteratorCharSequence().forEachRemaining(iterated::add);
        assertThat(lines(iterated)).isEqualTo(lines(netty.entries()));
        for (CharSequence name : NAMES) {
            assertThat(flat.get(name)).isEqualTo(netty.get(name));
            assertThat(flat.get(name.toString())).isEqualTo(netty.get(name.toString()));
            assertThat(flat.getAll(name)).isEqualTo(netty.getAll(name.toString()));
            assertThat(flat.contains(name)).isEqualTo(netty.contains(name));
            assertThat(flat.contains(name, "1", true)).isEqualTo(netty.contains(name, "1", true));
            assertThat(flat.containsValue(name, "B", true)).isEqualTo(netty.containsValue(name, "B", true));
            assertThat(flat.getInt(name)).isEqualTo(netty.getInt(name));
            assertThat(flat.getInt(name, 5)).isEqualTo(netty.getInt(name, 5));
            assertThat(flat.getShort(name)).isEqualTo(netty.getShort(name));
            assertThat(flat.getShort(name, (short) 5)).isEqualTo(netty.getShort(name, (short) 5));
            assertThat(flat.getTimeMillis(name)).isEqualTo(date(netty.get(name)));
            assertThat(flat.getTimeMillis(name, 5)).isEqualTo(
                    date(netty.get(name)) == null ? 5 : netty.getTimeMillis(name, 5));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a:", "a\r", "a\n", "\0", "\u00e9", "a(", "a\u0130"})
    void aNameIsAToken(String name) {
        var headers = new FlatHeaders(1);

        assertThatThrownBy(() -> headers.add(name, "b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> headers.set(new StringBuilder(name), "b"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(headers.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\rb", "a\nb", "\r\nx: y", "\0", "a\u000b", "a\r\n b"})
    void aValueEndsNoLine(String value) {
        var headers = new FlatHeaders(1);

        assertThatThrownBy(() -> headers.add("a", value)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a control character in the header a");
        assertThat(headers.isEmpty()).isTrue();
    }

    @Test
    void aFieldIsCheckedWhereItIsMade() {
        var headers = new FlatHeaders(1);
        var field = new HeaderField(AsciiString.cached("x-a"), "1");

        headers.set(field);
        headers.set(field.with("2"));

        assertThat(lines(headers.entries())).containsExactly("x-a: 2");
        assertThatThrownBy(() -> field.with("a\r\nx-b: 1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HeaderField(field.name(), "a\nb"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HeaderField(AsciiString.cached("a\nb"), "1"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCopyIsChangedAlone() {
        var headers = new FlatHeaders(1);
        headers.add("x-a", "1").add("x-b", "2");

        HttpHeaders copy = headers.copy().remove("x-a").set("x-b", "3").add("x-long", "4");

        assertThat(lines(headers.entries())).isEqualTo(List.of("x-a: 1", "x-b: 2"));
        assertThat(lines(copy.entries())).isEqualTo(List.of("x-b: 3", "x-long: 4"));
        assertThat(headers.contains("x-long")).isFalse();
    }

    @Test
    void isReadFieldByField() {
        var headers = new FlatHeaders(1);
        headers.add("a", "1").add("b", "2").add("a", "3").add("c", "4");

        headers.removeIf(name -> name.toString().equals("a"));

        assertThat(headers.size()).isEqualTo(2);
        assertThat(headers.name(1)).isEqualTo("c");
        assertThat(headers.value(1)).isEqualTo("4");
        assertThat(headers.getAll("a")).isEmpty();
    }
}
