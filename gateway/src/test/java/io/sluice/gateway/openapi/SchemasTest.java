package io.sluice.gateway.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.ParameterConfig;
import io.sluice.config.type.ParameterType;
import io.sluice.config.type.ScalarType;
import io.sluice.handlers.json.Json;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns, beside the parsers of values. */
class SchemasTest {

    @Test
    void timestampsHaveTheDaysOfTheCalendar() {
        Pattern pattern = Pattern.compile(
                (String) new Schemas(false).ofText(ScalarType.TIMESTAMP).get("pattern"));
        for (int year : new int[] {1, 4, 1900, 2000, 2023, 2024, 2100, 2400, 9999}) {
            for (int month = 0; month <= 13; month++) {
                for (int day = 0; day <= 32; day++) {
                    String date = "%04d-%02d-%02d".formatted(year, month, day);
                    assertThat(pattern.matcher(date + "T10:00").matches()).as(date)
                            .isEqualTo(isDate(date));
                }
            }
        }
    }

    private static boolean isDate(String text) {
        try {
            LocalDate.parse(text);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({"TIME, 10:00", "TIME, 10:00:00", "TIME, 23:59:59.123456789", "TIME, 24:00", "TIME, 10:60",
        "TIME, 1:00", "TIME, 10:00:00Z", "BYTEA, 3q2+7w==", "BYTEA, 3q2+7w=", "BYTEA, abcd", "BYTEA, abc",
        "BYTEA, ''", "TIMESTAMP, 2026-01-31T10:00", "TIMESTAMP, 2026-01-31T10:00:00.5+18:00",
        "TIMESTAMP, 2026-01-31", "TIMESTAMPTZ, 2026-01-31T10:00:00Z", "TIMESTAMPTZ, 2026-01-31T10:00:00",
        "TIMESTAMPTZ, 2026-01-31T10:00:00+18:01"})
    void patternsMatchExactlyTheParsedTexts(ScalarType type, String text) {
        String pattern = (String) new Schemas(false).ofText(type).get("pattern");

        assertThat(Pattern.matches(pattern, text)).isEqualTo(isParsed(type, text));
    }

    /** RFC 3986 section 5.2.4 removes such segments, and none is encoded otherwise. */
    @ParameterizedTest
    @CsvSource({"., false", ".., false", "..., true", ".a, true", "a., true", "a\u0001b, false"})
    void dotsAreNoSegment(String segment, boolean isServed) {
        assertThat(Pattern.compile(Schemas.SEGMENT).matcher(segment).find()).isEqualTo(isServed);
    }

    @ParameterizedTest
    @CsvSource({"'', true", "a\tb~, true", "\u00fc, true", "a\u0001b, false",
        "\u007f, false", "\u0100, false"})
    void headersHaveTheTextOfFields(String text, boolean isText) {
        for (boolean array : new boolean[] {true, false}) {
            Map<String, Object> schema = new Schemas(true).ofHeader(new ParameterConfig(new ParameterType(
                    ScalarType.TEXT, array), Optional.empty(), Optional.empty(), Optional.empty(),
                    Optional.empty(), true));
            Map<?, ?> element = array ? (Map<?, ?>) schema.get("items") : schema;

            assertThat(Pattern.matches((String) element.get("pattern"), text)).isEqualTo(isText);
        }
    }

    @ParameterizedTest
    @CsvSource({"a%_, true", "a\\, false", "a\\\\, true", "\\%\\, false", "\\a\\_, true"})
    void patternsEndOutsideOfAnEscape(String text, boolean isPattern) {
        for (boolean postgres : new boolean[] {true, false}) {
            assertThat(Pattern.matches((String) new Schemas(postgres).ofPattern().get("pattern"), text))
                    .isEqualTo(isPattern);
        }
    }

    /** PostgreSQL refuses offsets of 16 hours, Java those above 18. */
    @ParameterizedTest
    @CsvSource({"true, -15:59, true", "true, +16:00, false", "false, +16:00, true", "false, +18:01, false"})
    void offsetsAreThoseOfTheDatabase(boolean postgres, String offset, boolean isValid) {
        Object pattern = new Schemas(postgres).ofText(ScalarType.TIMESTAMPTZ).get("pattern");

        assertThat("2026-01-31T10:00:00" + offset).satisfies(text ->
                assertThat(Pattern.matches((String) pattern, text)).isEqualTo(isValid));
    }

    private static boolean isParsed(ScalarType type, String text) {
        try {
            type.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** PostgreSQL would ignore the offset of an element. */
    @Test
    void elementsThatAreTimestampsHaveNoOffset() {
        var parameter = new ParameterConfig(new ParameterType(ScalarType.TIMESTAMP, true), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), true);

        var schemas = new Schemas(true);

        assertThat(List.of(schemas.ofText(parameter), schemas.ofMember(parameter),
                schemas.ofField(parameter, true))).allSatisfy(schema -> {
                    var element = (Map<?, ?>) schema.get("items");
                    assertThat("2026-01-31T10:00:00").matches((String) element.get("pattern"));
                    assertThat("2026-01-31T10:00:00Z").doesNotMatch((String) element.get("pattern"));
                });
    }

    /** A query or form without the name has no array. */
    @Test
    void anArrayByNamesHasAnElementWhereItIsRequired() {
        var schemas = new Schemas(true);
        var type = new ParameterType(ScalarType.LONG, true);
        for (boolean required : new boolean[] {true, false}) {
            var parameter = new ParameterConfig(type, Optional.empty(), Optional.empty(), Optional.empty(),
                    Optional.empty(), required);

            assertThat(List.of(schemas.ofText(parameter), array(schemas.ofField(parameter, true))))
                    .allSatisfy(schema -> {
                        assertThat(schema.containsKey("minItems")).isEqualTo(required);
                        assertThat(schema.get("maxItems")).isEqualTo(1000);
                    });
            assertThat(schemas.ofMember(parameter).containsKey("minItems")).isFalse();
        }
    }

    private static Map<?, ?> array(Map<String, Object> schema) {
        return schema.get("anyOf") instanceof List<?> alternatives ? (Map<?, ?>) alternatives.getFirst()
                : schema;
    }

    /** Texts of forms excepted, a default is of the type of what it stands for. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            DECIMAL | 1.50      | 1.50      | 1.50
            DOUBLE  | 2         | 2.0       | 2.0
            JSON    | {"a":[1]} | {"a":[1]} | "{\\"a\\":[1]}"
            TEXT    | {}        | "{}"      | "{}"
            """)
    void aDefaultHasTheTypeOfItsParameter(ScalarType type, String text, String ofMember, String ofField) {
        var parameter = new ParameterConfig(new ParameterType(type, false), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.of(text), true);

        assertThat(json(new Schemas(true).ofMember(parameter).get("default"))).isEqualTo(ofMember);
        assertThat(json(new Schemas(true).ofField(parameter, false).get("default"))).isEqualTo(ofField);
    }

    private static String json(Object value) {
        return new String(Json.bytes(value), UTF_8);
    }

    @Test
    void nullIsAnotherTypeOrAnotherAlternative() {
        assertThat(Schemas.orNull(Map.of("type", "string")))
                .isEqualTo(Map.of("type", List.of("string", "null")));
        assertThat(Schemas.orNull(Map.of("enum", List.of("a")))).isEqualTo(Map.of("anyOf",
                List.of(Map.of("enum", List.of("a")), Map.of("type", "null"))));
        assertThat(Schemas.orNull(Map.of())).isEmpty();
    }
}
