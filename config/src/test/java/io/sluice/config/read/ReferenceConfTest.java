package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.sluice.config.GatewayConfig;
import io.sluice.config.ProgramConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        try (var stream = ReferenceConfTest.class.getResourceAsStream("/reference.conf")) {
            List<String> lines = new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
            int begin = value(section).origin().lineNumber();
            int end = records().map(record -> value((String) record.get()[0]).origin().lineNumber())
                    .filter(line -> line > begin).min(Integer::compare).orElse(lines.size());
            return String.join("\n", lines.subList(begin - 1, end - 1));
        }
    }
}
