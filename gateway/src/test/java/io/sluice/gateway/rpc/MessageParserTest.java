package io.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parser of {@code ws-rpc} messages. Apostrophes stand for quotes. */
class MessageParserTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{'path':'/'}                                                    | GET    | /         | /",
        " {'path' : '/a/b' , 'method':'POST'}                            | POST   | /a/b      | /a/b",
        "{'path':'/','method':null,'query':null}                         | GET    | /         | /",
        "{'path':'/a%20b/%2f','method':'DELETE'}                         | DELETE | /a%20b/%2f | /a b/%2F",
        "{'path':'/a//./b/../c'}                                         | GET    | /a//./b/../c | /a/c",
        "{'path':'/','query':{}}                                         | GET    | /         | /",
        "{'path':'/','query':{'a':'b c&=?#/+%ü😀','ü&':1}}  | GET"
                + " | /?a=b%20c%26%3D%3F%23%2F%2B%25%C3%BC%F0%9F%98%80&%C3%BC%26=1 | /",
        "{'path':'/','query':{'\\ud83d\\ude00':'\\ud83d\\ude00'}}           | GET"
                + " | /?%F0%9F%98%80=%F0%9F%98%80 | /",
        "{'path':'/','query':{'a':[1,'x',true],'b':[],'c':null,'d':-1.50e3,'e':false,'f':''}}  | GET"
                + " | /?a=1&a=x&a=true&d=-1.50e3&e=false&f= | /",
        "{'query':{'path':'q'},'\\u0070ath':'\\/a'}                      | GET    | /a?path=q | /a",
    })
    void messageBecomesARequest(String text, String method, String target, String path) {
        ParsedMessage message = ParsedMessage.of(text);

        assertThat(message.problem()).isNull();
        assertThat(message.head().method().name()).isEqualTo(method);
        assertThat(message.head().uri()).isEqualTo(target);
        assertThat(message.path()).isEqualTo(path);
        assertThat(message.head().headers().toString())
                .isEqualTo("DefaultHttpHeaders[host: a:1, user-agent: b]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "0", "-1.50e+3", "12345678901234567890123", "''", "'a'", "'\\u0061\\n'",
        "'käse 😀'", "'\\ud83d\\ude00'"})
    void idIsKeptVerbatim(String id) {
        String kept = id.replace('\'', '"');
        assertThat(ParsedMessage.of("{'id':" + id + ",'path':'/'}").id()).isEqualTo(kept);
        assertThat(ParsedMessage.of("{'path':'/' , 'id'  :  " + id + "  }").id()).isEqualTo(kept);
    }

    @Test
    void anIdHasABound() {
        String longest = "'" + "\\u0061".repeat(128) + "'";
        assertThat(ParsedMessage.of("{'path':'/','id':" + longest + "}").id()).hasSize(2 + 6 * 128);
        assertThat(ParsedMessage.of("{'path':'/','id':'" + "a".repeat(129) + "'}")).satisfies(message -> {
            assertThat(message.id()).isEqualTo("null");
            assertThat(message.problem()).hasMessage(
                    "id (expected: a text or number of at most 128 characters, or null)");
        });
        assertThat(ParsedMessage.of("{'path':'/','id':" + "1".repeat(129) + "}").problem()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "true", "0", "-1.5E-3", "''", "'ä\\u00e4\\''", "[]", "{}",
        "[ 1 , {'a' : [ ] } ]", "{ 'a':'}' , 'a':2 }", "'\\ud800'"})
    void aBodyIsKeptAsItCame(String body) {
        for (int padding : new int[] {0, 1, 1000}) {
            for (String text : new String[] {
                "{'id':'ü','body': " + body + " ,'path':'/','query':{'x':'" + "a".repeat(padding) + "'}}",
                "{'path':'/','query':{'x':'" + "ß".repeat(padding) + "'} ,'body':" + body + "}"}) {
                ParsedMessage read = ParsedMessage.of(text);
                assertThat(read.body()).isEqualTo(body);
                assertThat(read.head().headers().get("content-type")).isEqualTo("application/json");
                assertThat(read.head().headers().getInt("content-length"))
                        .isEqualTo(body.getBytes(StandardCharsets.UTF_8).length);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", value = {
        "``                                   | null | message (expected: a JSON object)",
        "x                                    | null | message (expected: a JSON object)",
        "[]                                   | null | message (expected: a JSON object)",
        "'a'                                  | null | message (expected: a JSON object)",
        "{                                    | null | its end is missing",
        "{'id':7                              | 7    | its end is missing",
        "{'id':7,                             | 7    | its end is missing",
        "{'id':7,'path':'/'}}                 | 7    | nothing after it; byte 20 is wrong",
        "{'id':7,'path':'/'}{}                | 7    | nothing after it",
        "{'id':7,'path':'/'} x                | 7    | nothing after it; byte 21 is wrong",
        "{'id':7,'path':'/',}                 | 7    | byte 20 is wrong",
        "{'id':7,'path':'/','body':[1,}       | 7    | byte 30 is wrong",
        "{'id':7,'path':'/','body':tru}       | 7    | is wrong",
        "{'id':7,'path':'/','body':NaN}       | 7    | is wrong",
        "{'id':7,'path':'/','body':01}        | 7    | byte 28 is wrong",
        "{'id':7,'path':'/','body':'\\x'}     | 7    | is wrong",
        "{'id':7}                             | 7    | path: missing (expected: one that begins with /)",
        "{'id':7,'path':null}                 | 7    | path (expected: a text)",
        "{'id':7,'path':''}                   | 7    | path:  (expected: one that begins with /)",
        "{'id':7,'path':'a'}                  | 7    | path: a (expected: one that begins with /)",
        "{'id':7,'path':'*','method':'OPTIONS'} | 7  | path: * (expected: one that begins with /)",
        "{'id':7,'path':'http://a/'}          | 7    | path: http://a/ (expected: one that begins with /)",
        "{'id':7,'path':'/?a=b'}              | 7    | path: a ? in it (expected: %3F, or",
        "{'id':7,'path':'/#a'}                | 7    | a character in the target that must be percent-",
        "{'id':7,'path':'/a b'}               | 7    | an invalid character in the method or path",
        "{'id':7,'path':'/a\\r\\nb'}          | 7    | an invalid character in the method or path",
        "{'id':7,'path':'/a\\u0000'}          | 7    | a character in the target that must be percent-",
        "{'id':7,'path':'/käse'}              | 7    | a character in the target that must be percent-",
        "{'id':7,'path':'/\\\\'}              | 7    | a character in the target that must be percent-",
        "{'id':7,'path':'/%zz'}               | 7    | a broken percent-encoding in the path",
        "{'id':7,'path':'/%ff'}               | 7    | bytes that are not UTF-8 in the path",
        "{'id':7,'path':'/..'}                | 7    | a path that climbs above its root",
        "{'path':'/','method':5,'id':7}       | 7    | method (expected: a text)",
        "{'path':'/','method':'','id':7}      | 7    | an invalid character in the method or path",
        "{'path':'/','method':'G T','id':7}   | 7    | an invalid character in the method or path",
        "{'path':[{'a':['b']}],'id':7}        | 7    | path (expected: a text)",
        "{'path':'/','query':'a=b','id':7}    | 7    | query (expected: an object)",
        "{'path':'/','query':{'a':{'b':1}},'id':7}      | 7 | query.a (expected: a text, number or boolean,",
        "{'path':'/','query':{'a':[1,[2]],'b':3},'id':7} | 7 | query.a (expected: a text, number or",
        "{'path':'/','query':{'a':[null]},'id':7}       | 7 | query.a (expected: a text, number or boolean,",
        "{'path':'/','query':{'a':1,'a':[2]},'id':7}    | 7 | a: twice (expected: each member once)",
        "{'path':'/','path':{'id':1},'id':7}  | 7    | path: twice (expected: each member once)",
        "{'id':7,'path':'/','id':8}           | 7    | id: twice (expected: each member once)",
        "{'headers':{'id':1},'path':'/','id':7} | 7  | headers: unknown (expected: id, method, path,",
        "{'a':1,'b':2,'path':5,'id':7}        | 7    | a: unknown (expected: id, method, path,",
        "{'subscrib':'/ws/a','id':7}          | 7    | query, body, subscribe, after or unsubscribe",
        "{'id':true,'path':'/'}               | null | id (expected: a text or number of at most 128",
        "{'id':{'a':1},'path':'/'}            | null | id (expected: a text or number of at most 128",
        "{'id':'\\ud800','path':'/'}          | null | without unpaired surrogates",
        "{'\\udfff':1,'path':'/','id':7}      | 7    | without unpaired surrogates",
        "{'a\\ud800\\u0041':1,'path':'/','id':7} | 7 | without unpaired surrogates",
        "{'path':'/','query':{'a':'\\ud800'},'id':7} | 7 | without unpaired surrogates",
        "{'path':'/','query':{'\\ud800':1},'id':7}   | 7 | without unpaired surrogates",
        "{'path':'/','query':{'a\\ud800':1},'id':7}  | 7 | without unpaired surrogates",
        "{'path':'/','query':{'\\udfff':[]},'id':7}  | 7 | without unpaired surrogates",
        "{'path':'/','query':{'\\ude00\\ud83d':null},'id':7} | 7 | without unpaired surrogates",
        "{'path':'/','query':{'abcdefghijklmnop\\udc00':1},'id':7} | 7 | without unpaired surrogates",
        "{'path':'/\\ud800','id':7}           | 7    | without unpaired surrogates",
    })
    void invalidMessageIsReportedWithItsId(String text, String id, String detail) {
        ParsedMessage message = ParsedMessage.of(text);

        assertThat(message.problem()).hasMessageContaining(detail);
        assertThat(message.problem().status().code()).isEqualTo(400);
        assertThat(message.id()).isEqualTo(id);
        assertThat(message.body()).isNull();
        assertThat(message.head().uri()).isEqualTo("/bad-request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0{\0}", "{\0}\0", "\0\0\0{\0\0\0}", "{'path':'/','body':'\0'}",
        "\uFEFF{'path':'/'}"})
    void anEncodingThatAParserWouldGuessIsNoJson(String text) {
        assertThat(ParsedMessage.of(text).problem())
                .hasMessageStartingWith("message (expected: a JSON object");
    }

    /** The request line has the same limit as over HTTP: {@code GET /aaa HTTP/1.1}. */
    @Test
    void aRequestLineHasABound() {
        int room = ParsedMessage.MAX_REQUEST_LINE - "GET  HTTP/1.1".length();
        String longest = "a".repeat(room - 1);
        assertThat(ParsedMessage.of("{'path':'/" + longest + "'}").problem()).isNull();
        assertThat(ParsedMessage.of("{'path':'/','query':{'a':'" + longest.substring(3) + "'}}").problem())
                .isNull();
        for (String tooLong : new String[] {
            "'path':'/a" + longest + "'",
            "'path':'/" + longest + "','method':'POST'",
            "'path':'/','query':{'a':'a" + longest.substring(3) + "'}",
            "'path':'/','query':{'a':'" + "ü".repeat(room / 6) + "'}",
            "'path':'/','query':{'a':'" + "ü".repeat(500_000) + "'}",
            "'path':'/','query':{'a':" + " ".repeat(1_000_000) + "1}",
            "'path':'" + "\\u002f".repeat(170_000) + "'",
            "'path':'/','method':'" + "A".repeat(1_000_000) + "'"}) {
            assertThat(ParsedMessage.of("{'id':7," + tooLong + "}")).satisfies(message -> {
                assertThat(message.id()).isEqualTo("7");
                assertThat(message.problem().status().code()).as(message.problem().getMessage())
                        .isEqualTo(414);
            });
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"'a':[%s] | 1 | 1023", "%s | '%d':1 | 1024",
        "%s | '%d':null | 1024", "%s | '%d':[] | 1024"})
    void numberOfQueryParametersIsLimited(String query, String parameter, int most) {
        assertThat(ParsedMessage.of(message(query, parameter, most)).problem()).isNull();
        for (int number : new int[] {most + 1, 100_000}) {
            assertThat(ParsedMessage.of(message(query, parameter, number))).satisfies(message -> {
                assertThat(message.id()).isEqualTo("7");
                assertThat(message.problem().status().code()).isIn(400, 414);
            });
        }
    }

    private static String message(String query, String parameter, int number) {
        return "{'path':'/','query':{" + query.formatted(IntStream.range(0, number)
                .mapToObj(parameter::formatted).collect(Collectors.joining(","))) + "},'id':7}";
    }

    @Test
    void excessiveNestingAndLongNamesAreRefused() {
        String deep = "[".repeat(501) + "]".repeat(501);
        assertThat(ParsedMessage.of("{'id':7,'path':'/','body':" + deep + "}")).satisfies(message -> {
            assertThat(message.id()).isEqualTo("7");
            assertThat(message.problem().status().code()).isEqualTo(400);
        });
        assertThat(ParsedMessage.of("{'" + "a".repeat(60_000) + "':7,'id':7}")).satisfies(message -> {
            assertThat(message.id()).isEqualTo("7");
            assertThat(message.problem()).hasMessageStartingWith("a long name: unknown");
        });
    }

    @Test
    void membersAreCounted() {
        String unknown = "'a':1,".repeat(100_000);
        assertThat(ParsedMessage.of("{'id':7," + unknown + "'path':'/'}")).satisfies(message -> {
            assertThat(message.id()).isEqualTo("7");
            assertThat(message.problem()).hasMessageStartingWith("a: unknown");
        });
        assertThat(ParsedMessage.of("{" + unknown + "'id':7}").id()).isEqualTo("null");
    }

    @ParameterizedTest
    @CsvSource({"CONNECT, 501", "A(B, 400"})
    void methodsThatNoRouteMayServeAreRefusedAsOverHttp(String method, int status) {
        String text = "{'id':7,'path':'/','method':'" + method + "'}";
        assertThat(ParsedMessage.of(text).problem().status().code()).isEqualTo(status);
    }
}
