package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.sluice.config.CompressionConfig;
import io.sluice.config.CorsConfig;
import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.Key;
import io.sluice.config.ParameterConfig;
import io.sluice.config.PoolConfig;
import io.sluice.config.ProgramConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.SocketConfig;
import io.sluice.config.TopicsConfig;
import java.lang.reflect.RecordComponent;
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
        GatewayConfig config = new ConfigLoader(Map.of()).loadResource("reference.conf");

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
        for (RecordComponent component : type.getRecordComponents()) {
            Key named = component.getAnnotation(Key.class);
            String key = named != null ? named.value() : ScalarReader.kebab(component.getName());
            if (component.getType() == Optional.class) {
                assertThat(defaults).doesNotContainKey(key);
                assertThat(text).containsPattern("# *" + key + " = ");
            } else if (!defaults.containsKey(key)) {
                assertThat(text).containsPattern("# *" + key + " .* required");
            }
        }
    }

    static Stream<Arguments> records() {
        Stream<Arguments> handlers = Stream.of(HandlerConfig.class.getPermittedSubclasses())
                .map(kind -> Arguments.of(
                        "handler-defaults." + ScalarReader.kebab(kind.getSimpleName()), kind));
        Stream<Arguments> sections = Stream.of(GatewayConfig.class.getRecordComponents())
                .filter(component -> component.getType().isRecord())
                .map(component -> Arguments.of(component.getName(), component.getType()));
        return Stream.of(sections, handlers, Stream.of(
                Arguments.of("offload.pool-defaults", PoolConfig.class),
                Arguments.of("database-defaults", DatabaseConfig.class),
                Arguments.of("route-defaults", RouteConfig.class),
                Arguments.of("topics-defaults", TopicsConfig.class),
                Arguments.of("socket-defaults", SocketConfig.class),
                Arguments.of("compression-defaults", CompressionConfig.class),
                Arguments.of("cors-defaults", CorsConfig.class),
                Arguments.of("handler-defaults.ws-code.program", ProgramConfig.class),
                Arguments.of("parameter-defaults", ParameterConfig.class))).flatMap(all -> all);
    }

    private static ConfigValue value(String path) {
        return ROOT.toConfig().getValue(path);
    }

    /** What the file says from where a section begins to where the next begins. */
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
