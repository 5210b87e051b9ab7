package io.sluice.handlers.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;

/** Members of a JSON body: cases that {@code QueryContract} does not cover. */
class JsonMembersTest {
    private static final String NOT_UTF8 = "body (expected: a JSON object in UTF-8)";

    private final JsonMembers members = new JsonMembers(Set.of("a", "b", "c", "d", "e", ""));

    @Test
    void membersAreTextsAsTheyStand() {
        String body = "{\"a\":\"x\",\"b\":1.50,\"c\":-1e3,\"d\":true,\"e\":null,\"\":\"\"}";

        assertThat(members.of(utf8(body)))
                .containsEntry("a", "x").containsEntry("b", "1.50").containsEntry("c", "-1e3")
                .containsEntry("d", "true").containsEntry("", "").hasSize(5);
    }

    @Test
    void onlyMembersThatAreWantedAreKept() {
        assertThat(new JsonMembers(Set.of("b")).of(utf8(object(1023).replace("}", ",\"b\":1}"))))
                .containsOnlyKeys("b");
    }

    /** A factory would share them, and keep what clients choose. */
    @Test
    void namesAreNotKeptForLaterBodies() {
        assertThat(firstName()).isEqualTo("name").isNotSameAs(firstName());
    }

    private static String firstName() {
        try (JsonParser json = Json.parser(new ByteArrayInputStream("{\"name\":1}".getBytes(UTF_8)))) {
            json.nextToken();
            return json.nextName();
        }
    }

    @Test
    void namesAreBounded() {
        assertThat(members.of(utf8("{\"" + "n".repeat(1024) + "\":1,\"a\":2}"))).containsOnlyKeys("a");
        assertThatThrownBy(() -> members.of(utf8("{\"" + "n".repeat(1100) + "\":1,\"a\":2}")))
                .isInstanceOf(HttpException.class)
                .hasMessage("body (expected: a JSON object; something in it is too long or too deep)");
    }

    @Test
    void membersAreBounded() {
        assertThatThrownBy(() -> members.of(utf8(object(1025)))).isInstanceOf(HttpException.class)
                .hasMessage("body (expected: a JSON object of at most 1024 members)");
    }

    @Test
    void mistakesInElementsAreBounded() {
        var elements = new JsonMembers(Map.of(), Map.of("each", new JsonMembers.Objects(members, 10_000)));
        String element = IntStream.range(0, 100).mapToObj(i -> "\"m" + i + "\":[]")
                .collect(Collectors.joining(",", "{", "}"));
        String body = IntStream.range(0, 100).mapToObj(_ -> element)
                .collect(Collectors.joining(",", "{\"each\":[", "]}"));

        assertThatThrownBy(() -> elements.read(utf8(body), new ArrayList<>()))
                .isInstanceOf(HttpException.class).hasMessageEndingWith("(and 99 more)");
    }

    @Test
    void aMemberThatIsNotWantedMayNotBeThereTwiceEither() {
        assertThatThrownBy(() -> members.of(utf8("{\"z\":1,\"z\":1}"))).isInstanceOf(HttpException.class)
                .hasMessage("body (expected: a JSON object that names each member once)");
    }

    @Test
    void theBodyStaysItsOwners() {
        ByteBuf body = ByteBufUtil.writeUtf8(PooledByteBufAllocator.DEFAULT, "{\"a\":1}");
        try {
            assertThat(members.of(body)).containsEntry("a", "1");
            assertThat(body.readableBytes()).isEqualTo(7);
            assertThat(body.refCnt()).isEqualTo(1);
        } finally {
            body.release();
        }
    }

    @Test
    void anyCharacterMayBeInAText() {
        assertThat(members.of(utf8("{\"a\":\"Bj\u00f6rn \u20ac \ud83d\ude00 \\ud83d\\ude00\"}")))
                .containsEntry("a", "Bj\u00f6rn \u20ac \ud83d\ude00 \ud83d\ude00");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE", "ISO-8859-1"})
    void noOtherEncodingIsTaken(Charset charset) {
        assertThatThrownBy(() -> members.of(Unpooled.copiedBuffer("{\"a\":\"Bj\u00f6rn\"}", charset)))
                .isInstanceOf(HttpException.class).hasMessage(NOT_UTF8);
    }

    @ParameterizedTest
    @CsvSource({"overlong slash, C0AF", "overlong quote, E080A2", "surrogate, EDA080", "too high, F4908080",
        "overlong NUL, C080", "cut off, E282"})
    void bytesThatAreNotUtf8AreRefused(String what, String hex) {
        ByteBuf body = Unpooled.wrappedBuffer(utf8("{\"a\":\""),
                Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex)), utf8("\"}"));

        assertThatThrownBy(() -> members.of(body)).as(what).isInstanceOf(HttpException.class)
                .hasMessage(NOT_UTF8);
    }

    @Test
    void aNameWithoutEndIsRefused() {
        assertThatThrownBy(() -> members.of(utf8("{\"" + "a".repeat(100_000) + "\":1}")))
                .isInstanceOf(HttpException.class)
                .hasMessage("body (expected: a JSON object; something in it is too long or too deep)");
    }

    @Test
    void aMemberOfAnyShapeIsTheTextThatStandsInTheBody() {
        String[] values = {"{\"b\" : [1, {}],\"\u00e9\":0.10}", "[ ]", "\"\\u00e9 \u00e9\"", "1.50E+400",
            "-0", "true", "[" + "\"\u00e9\", ".repeat(10_000) + "7]"};
        for (String value : values) {
            for (String body : new String[] {"{\"z\":\"\u00e9\", \"a\": " + value + " ,\"y\":1}",
                "{\"z\":\"" + "\u00e9".repeat(10_000) + "\",\"a\":" + value + "}"}) {
                ByteBuf buffer = utf8("x\ufeff " + body).skipBytes(1);
                var mistakes = new ArrayList<Mistake>();

                assertThat(new JsonMembers(Map.of("a", MemberShape.ANY)).read(buffer, mistakes))
                        .containsEntry("a", new MemberValue.Text(value));
                assertThat(mistakes).isEmpty();
            }
        }
    }

    /** Numbers and booleans can be base64, too. */
    @ParameterizedTest
    @ValueSource(strings = {"true", "1234", "[]", "{}"})
    void aMemberMayBeATextAlone(String value) {
        var mistakes = new ArrayList<Mistake>();

        assertThat(new JsonMembers(Map.of("a", MemberShape.STRING, "b", MemberShape.STRING))
                .read(utf8("{\"a\":" + value + ",\"b\":\"true\"}"), mistakes))
                .containsEntry("a", MemberValue.None.MISTAKEN)
                .containsEntry("b", new MemberValue.Text("true"));
        assertThat(mistakes).extracting(Mistake::at).containsExactly("#/a");
        assertThat(mistakes).first().asString().endsWith("(expected: a text)");
    }

    @Test
    void mistakesInShapesAreCollectedWithTheirPointers() {
        var mistakes = new ArrayList<Mistake>();
        String body = "{\"list\":[1,null,[2],\"x\",{}], \"a/b ~\u00e9\":{\"x\":[{}]}, \"flat\":[],"
                + "\"other\":7}";

        assertThat(new JsonMembers(Map.of("list", MemberShape.ARRAY, "flat", MemberShape.SCALAR,
                "other", MemberShape.ARRAY))
                .read(utf8(body), mistakes)).containsEntry("flat", MemberValue.None.MISTAKEN);

        assertThat(mistakes).extracting(Mistake::at).containsExactly("#/list/1", "#/list/2", "#/list/4",
                "#/a~1b%20~0%C3%A9", "#/flat", "#/other");
        assertThat(mistakes).last().hasToString("other: 7 (expected: an array)");
    }

    @Test
    void elementsAreBounded() {
        var mistakes = new ArrayList<Mistake>();
        new JsonMembers(Map.of("a", MemberShape.ARRAY))
                .read(utf8("{\"a\":[" + "1,".repeat(1023) + "1]}"), mistakes);
        assertThat(mistakes).isEmpty();

        new JsonMembers(Map.of("a", MemberShape.ARRAY))
                .read(utf8("{\"a\":[" + "1,".repeat(2000) + "1]}"), mistakes);
        assertThat(mistakes).singleElement().hasToString("a: too long (expected: at most 1024 elements)");
    }

    private static String object(int members) {
        return IntStream.range(0, members).mapToObj(i -> "\"m" + i + "\":" + i)
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static ByteBuf utf8(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }
}
