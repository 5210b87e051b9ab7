package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.sluice.config.GatewayConfig;
import io.sluice.config.ProgramConfig;
import io.sluice.config.key.Range;
import io.sluice.config.problem.ConfigProblems;
import java.lang.reflect.ParameterizedType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReferenceConfTest {
    private static final ConfigObject ROOT =
            (ConfigObject) ConfigFactory.parseResources("reference.conf").root().get("sluice");

    @Test
    void isValidAloneAndServesNothing() {
        GatewayConfig config = new ConfigLoader(Map.of()).loadResource("reference.conf").config();

        assertThat(config.routes()).isEmpty();
        assertThat(config.databases()).isEmpty();
        assertThat(config.offload().pools()).isEmpty();
        assertThat(config.server().port()).isEqualTo(8080);
        assertThat(config.admin().host()).isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @MethodSource("records")
    void saysADefaultForEveryKeyOrThatItIsRequired(String section, Class<?> type) throws Exception {
        ConfigObject defaults = (ConfigObject) value(section);
        String text = text(section);
        for (Member member : Plugins.NONE.keys(type)) {
            if (!defaults.containsKey(member.key())) {
                assertThat(text).containsPattern(member.type() == Optional.class
                        ? "# *" + member.key() + " = " : "# *" + member.key() + " .* required");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("records")
    void saysTheRangeOfEveryDefault(String section, Class<?> type) throws Exception {
        assertThat(withoutRange((ConfigObject) value(section), type, lines())).isEmpty();
    }

    /** Returns the lines whose value has a range that does not follow as a comment. */
    private static List<String> withoutRange(ConfigObject values, Class<?> type, List<String> lines) {
        var found = new ArrayList<String>();
        for (Member member : Plugins.NONE.keys(type)) {
            ConfigValue value = values.get(member.key());
            if (value instanceof ConfigObject inner && member.section() != null && !member.isMap()) {
                found.addAll(withoutRange(inner, member.section(), lines));
            } else if (value != null && value.valueType() != ConfigValueType.NULL
                    && member.component().isAnnotationPresent(Range.class)) {
                Class<?> scalar = member.value() instanceof ParameterizedType generic
                        ? (Class<?>) generic.getActualTypeArguments()[0] : member.type();
                String expected = new ScalarReader(new ConfigProblems()).expected(scalar, member.component());
                String range = "  # " + expected.substring(expected.lastIndexOf(' ') + 1);
                String line = lines.get(value.origin().lineNumber() - 1);
                if (member.type() != Set.class && !line.endsWith(range)) {
                    found.add(value.origin().lineNumber() + ": " + line + range);
                }
            }
        }
        return found;
    }

    static Stream<Arguments> records() {
        Stream<Arguments> sections = Stream.of(GatewayConfig.class.getRecordComponents())
                .filter(component -> component.getType().isRecord())
                .map(component -> Arguments.of(component.getName(), component.getType()));
        Stream<Arguments> defaults = new DefaultSections(ROOT, ROOT, Plugins.NONE).records().entrySet()
                .stream().map(section -> Arguments.of(section.getKey(), section.getValue().getLast()));
        return Stream.of(sections, defaults,
                Stream.of(Arguments.of("handler-defaults.ws-code.program", ProgramConfig.class)))
                .flatMap(all -> all);
    }

    @Test
    void namedEntriesHaveASectionOfDefaults() {
        assertThat(new DefaultSections(ROOT, ROOT, Plugins.NONE).records().keySet())
                .filteredOn(path -> !path.startsWith("handler-defaults."))
                .containsExactlyInAnyOrder("offload.pool-defaults", "database-defaults", "bus-defaults",
                        "topics-defaults", "history-defaults", "source-defaults", "presence-defaults",
                        "route-defaults",
                        "socket-defaults", "compression-defaults", "cors-defaults", "parameter-defaults",
                        "upstream-defaults", "health-defaults", "paging-defaults", "write-defaults",
                        "idempotency-defaults", "live-defaults", "bulk-defaults");
    }

    private static ConfigValue value(String path) {
        return ROOT.toConfig().getValue(path);
    }

    /** Returns the text from the beginning of a section to the beginning of the next one. */
    private static String text(String section) throws Exception {
        List<String> lines = lines();
        int begin = value(section).origin().lineNumber();
        int end = records().map(record -> value((String) record.get()[0]).origin().lineNumber())
                .filter(line -> line > begin).min(Integer::compare).orElse(lines.size());
        return String.join("\n", lines.subList(begin - 1, end - 1));
    }

    private static List<String> lines() throws Exception {
        try (var stream = ReferenceConfTest.class.getResourceAsStream("/reference.conf")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
