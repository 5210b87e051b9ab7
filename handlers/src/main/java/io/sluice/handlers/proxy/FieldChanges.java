package io.sluice.handlers.proxy;

import io.netty.util.AsciiString;
import io.sluice.config.type.HeaderName;
import io.sluice.config.upstream.HeaderChanges;
import io.sluice.handlers.message.FieldNames;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.message.HeaderField;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The fields that a route sets and removes in the messages that it passes on. A field is replaced or removed
 * in any spelling that a server could take for its name. Thread-safe.
 */
final class FieldChanges {
    static final FieldChanges NONE = new FieldChanges(List.of(), List.of());

    private final List<HeaderField> set;
    /** The names of fields that are not passed on, as {@link FieldNames} knows them. */
    private final AsciiString[] names;
    private final Predicate<CharSequence> claims;

    private FieldChanges(List<HeaderField> set, List<AsciiString> names) {
        this.set = set;
        this.names = names.toArray(AsciiString[]::new);
        claims = this.names.length == 0 ? _ -> false : this::isClaimed;
    }

    /** Returns the changes of a configuration that has been checked. */
    static FieldChanges of(HeaderChanges config) {
        List<HeaderField> set = config.set().orElse(Map.of()).entrySet().stream()
                .map(field -> new HeaderField(AsciiString.cached(field.getKey()),
                        AsciiString.cached(field.getValue().text())))
                .toList();
        return new FieldChanges(set, Stream.concat(set.stream().map(field -> field.name().toString()),
                        config.remove().orElse(Set.of()).stream().map(HeaderName::text))
                .map(name -> name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "-"))
                .distinct().map(AsciiString::cached).toList());
    }

    /** Tells of a name whether a field of it is not passed on. */
    Predicate<CharSequence> claims() {
        return claims;
    }

    private boolean isClaimed(CharSequence name) {
        for (AsciiString own : names) {
            if (FieldNames.same(own, name)) {
                return true;
            }
        }
        return false;
    }

    /** Changes the fields of a message. */
    void apply(FlatHeaders headers) {
        if (names.length == 0) {
            return;
        }
        headers.removeIf(claims);
        for (HeaderField field : set) {
            headers.set(field);
        }
    }
}
