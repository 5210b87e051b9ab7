package io.sluice.handlers.json;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The value of a member of a JSON object. */
public sealed interface MemberValue {

    /** No value of the wanted shape: null, or another shape, which is among the mistakes. */
    enum None implements MemberValue { NULL, MISTAKEN }

    /** A text, number or boolean as a text, or any value as its JSON. */
    record Text(String text) implements MemberValue {
    }

    /** The elements of an array as texts; null for one of another shape. */
    record Elements(List<@Nullable String> texts) implements MemberValue {
    }

    /** The wanted members of the objects in an array; null for an element that is no object. */
    record Each(List<@Nullable Map<String, MemberValue>> objects) implements MemberValue {
    }
}
