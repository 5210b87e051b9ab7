package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.GatewayConfig;
import io.sluice.config.key.Ref;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each record component that names an entry of another section has {@link Ref}: without it the name is not
 * checked.
 */
class ReferencesTest {
    /** The path of each section of named entries, by the singular of the section's name. */
    private static final Map<String, String> SECTIONS = new LinkedHashMap<>();
    private static final Set<RecordComponent> COMPONENTS = new LinkedHashSet<>();

    static {
        walk(GatewayConfig.class, "");
        SECTIONS.remove("route");
        Set.of("parameter", "error", "constraint", "table", "propertie", "local", "right")
                .forEach(SECTIONS::remove);
    }

    @Test
    void componentsNamedLikeASectionReferToIt() {
        assertThat(SECTIONS).containsOnlyKeys("pool", "database", "topic", "token", "upstream", "bus");
        assertThat(COMPONENTS).filteredOn(component -> sectionOf(component) != null && isText(component))
                .hasSizeGreaterThan(6).allSatisfy(component ->
                        assertThat(component.getAnnotation(Ref.class)).as(component.toString()).isNotNull()
                                .extracting(Ref::value).isEqualTo(sectionOf(component)));
    }

    @Test
    void referencesLeadToSections() {
        assertThat(COMPONENTS).extracting(component -> component.getAnnotation(Ref.class))
                .filteredOn(ref -> ref != null).extracting(Ref::value).isNotEmpty()
                .allMatch(SECTIONS::containsValue);
    }

    private static String sectionOf(RecordComponent component) {
        return SECTIONS.get(References.singular(component.getName()));
    }

    private static boolean isText(RecordComponent component) {
        return component.getGenericType().getTypeName()
                .matches("(java.util.(Optional|Set)<)*java.lang.String>*");
    }

    private static void walk(Class<?> type, String path) {
        if (type.isSealed()) {
            Stream.of(type.getPermittedSubclasses()).forEach(kind -> walk(kind, path));
        }
        if (!type.isRecord()) {
            return;
        }
        for (RecordComponent component : type.getRecordComponents()) {
            COMPONENTS.add(component);
            String at = path + component.getName();
            Type within = component.getGenericType();
            if (component.getType() == Map.class && of(within) != Object.class) {
                SECTIONS.put(References.singular(component.getName()), at);
            }
            walk(within instanceof Class<?> plain ? plain : of(within), at + '.');
        }
    }

    /** Returns the type of the elements of a set or optional value, or of the values of a map. */
    private static Class<?> of(Type generic) {
        Type[] of = ((ParameterizedType) generic).getActualTypeArguments();
        return of[of.length - 1] instanceof Class<?> plain ? plain : of(of[of.length - 1]);
    }
}
