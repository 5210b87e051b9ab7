package io.sluice.handlers.message;

import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Header fields in one array, in the order of their arrival. For the few fields of a message this takes less
 * memory than Netty's hash table (decision 14). A look-up compares a name with all fields, whose number is
 * limited if they come from a client. Names and values are checked when they are added (RFC 9110 sections 5.1
 * and 5.5): an {@link IllegalArgumentException} reports an invalid one. Not thread-safe.
 */
public final class FlatHeaders extends HttpHeaders {
    /** Name, value, name, value. An array of Object, since stores to it need no type check. */
    private Object[] fields;
    private int end;
    /** A bit for each length (modulo 64) that a name has or had: rules out most names that are absent. */
    private long lengths;

    /** Creates empty headers, with room for so many fields, at least one, before the array has to grow. */
    public FlatHeaders(int expected) {
        this(new Object[2 * expected], 0, 0);
    }

    private FlatHeaders(Object[] fields, int end, long lengths) {
        this.fields = fields;
        this.end = end;
        this.lengths = lengths;
    }

    /** Returns the name of a field by its index, below {@link #size}. */
    public CharSequence name(int field) {
        return (CharSequence) fields[2 * field];
    }

    /** Returns the value of a field by its index, below {@link #size}: an AsciiString or a String. */
    public CharSequence value(int field) {
        return fields[2 * field + 1] instanceof AsciiString text ? text : fields[2 * field + 1].toString();
    }

    private int indexOf(CharSequence name, int from) {
        if ((lengths & 1L << name.length()) == 0) {
            return -1;
        }
        for (int i = from; i < end; i += 2) {
            if (AsciiString.contentEqualsIgnoreCase((CharSequence) fields[i], name)) {
                return i;
            }
        }
        return -1;
    }

    private FlatHeaders append(CharSequence name, Object given) {
        CharSequence value = given instanceof CharSequence text ? text
                : given instanceof Date date ? DateFormatter.format(date) : given.toString();
        HeaderField.requireName(name);
        HeaderField.requireValue(name, value);
        return put(name, value);
    }

    private FlatHeaders put(CharSequence name, CharSequence value) {
        if (end == fields.length) {
            fields = Arrays.copyOf(fields, 2 * end);
        }
        fields[end] = name;
        fields[end + 1] = value;
        end += 2;
        lengths |= 1L << name.length();
        return this;
    }

    /** Sets a field that has been checked already; otherwise like {@link #set(CharSequence, Object)}. */
    public void set(HeaderField field) {
        remove(field.name()).put(field.name(), field.value());
    }

    /** Removes the fields whose names match. */
    public void removeIf(Predicate<CharSequence> unwanted) {
        int kept = 0;
        for (int i = 0; i < end; i += 2) {
            if (!unwanted.test((CharSequence) fields[i])) {
                fields[kept] = fields[i];
                fields[kept + 1] = fields[i + 1];
                kept += 2;
            }
        }
        Arrays.fill(fields, kept, end, null);
        end = kept;
    }

    @Override
    public HttpHeaders add(String name, Object value) {
        return append(name, value);
    }

    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        return append(name, value);
    }

    @Override
    public HttpHeaders add(String name, Iterable<?> values) {
        values.forEach(value -> append(name, value));
        return this;
    }

    @Override
    public HttpHeaders addInt(CharSequence name, int value) {
        return append(name, value);
    }

    @Override
    public HttpHeaders addShort(CharSequence name, short value) {
        return append(name, value);
    }

    @Override
    public HttpHeaders set(String name, Object value) {
        return set((CharSequence) name, value);
    }

    @Override
    public HttpHeaders set(CharSequence name, Object value) {
        return remove(name).append(name, value);
    }

    @Override
    public HttpHeaders set(String name, Iterable<?> values) {
        return remove(name).add(name, values);
    }

    @Override
    public HttpHeaders setInt(CharSequence name, int value) {
        return set(name, (Object) value);
    }

    @Override
    public HttpHeaders setShort(CharSequence name, short value) {
        return set(name, (Object) value);
    }

    @Override
    public FlatHeaders copy() {
        return new FlatHeaders(fields.clone(), end, lengths);
    }

    @Override
    public FlatHeaders remove(String name) {
        return remove((CharSequence) name);
    }

    @Override
    public FlatHeaders remove(CharSequence name) {
        if (contains(name)) {
            removeIf(other -> AsciiString.contentEqualsIgnoreCase(other, name));
        }
        return this;
    }

    @Override
    public HttpHeaders clear() {
        end = 0;
        return this;
    }

    @Override
    public @Nullable String get(String name) {
        return get((CharSequence) name);
    }

    @Override
    public @Nullable String get(CharSequence name) {
        int at = indexOf(name, 0);
        return at < 0 ? null : fields[at + 1].toString();
    }

    @Override
    public boolean contains(String name) {
        return contains((CharSequence) name);
    }

    @Override
    public boolean contains(CharSequence name) {
        return indexOf(name, 0) >= 0;
    }

    @Override // the inherited one allocates an iterator, also where there is no such field
    public boolean containsValue(CharSequence name, CharSequence value, boolean ignoreCase) {
        return contains(name) && super.containsValue(name, value, ignoreCase);
    }

    @Override
    public List<String> getAll(String name) {
        return getAll((CharSequence) name);
    }

    @Override
    public List<String> getAll(CharSequence name) {
        List<String> values = Collections.emptyList(); // its iterator allocates nothing, unlike List.of()'s
        for (int at = indexOf(name, 0); at >= 0; at = indexOf(name, at + 2)) {
            values = values.isEmpty() ? new ArrayList<>(1) : values;
            values.add(fields[at + 1].toString());
        }
        return values;
    }

    private <T> @Nullable T parsed(CharSequence name, Function<String, T> parse) {
        String value = get(name);
        try {
            return value == null ? null : parse.apply(value);
        } catch (NumberFormatException _) {
            return null;
        }
    }

    @Override
    public @Nullable Integer getInt(CharSequence name) {
        return parsed(name, Integer::valueOf);
    }

    @Override
    public int getInt(CharSequence name, int defaultValue) {
        return Objects.requireNonNullElse(getInt(name), defaultValue);
    }

    @Override
    public @Nullable Short getShort(CharSequence name) {
        return parsed(name, Short::valueOf);
    }

    @Override
    public short getShort(CharSequence name, short defaultValue) {
        return Objects.requireNonNullElse(getShort(name), defaultValue);
    }

    @Override
    public @Nullable Long getTimeMillis(CharSequence name) {
        String value = get(name);
        Date date = value == null || value.isEmpty() ? null : DateFormatter.parseHttpDate(value);
        return date == null ? null : date.getTime();
    }

    @Override
    public long getTimeMillis(CharSequence name, long defaultValue) {
        return Objects.requireNonNullElse(getTimeMillis(name), defaultValue);
    }

    @Override
    public boolean isEmpty() {
        return end == 0;
    }

    @Override
    public int size() {
        return end / 2;
    }

    @Override
    public Set<String> names() {
        return entries().stream().map(Entry::getKey).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Override
    public List<Entry<String, String>> entries() {
        return entries(CharSequence::toString);
    }

    @Override
    @Deprecated
    public Iterator<Entry<String, String>> iterator() {
        return entries().iterator();
    }

    @Override
    public Iterator<Entry<CharSequence, CharSequence>> iteratorCharSequence() {
        return entries(Function.<CharSequence>identity()).iterator();
    }

    private <T> List<Entry<T, T>> entries(Function<CharSequence, T> as) {
        return IntStream.range(0, size()).<Entry<T, T>>mapToObj(field ->
                new SimpleImmutableEntry<>(as.apply(name(field)), as.apply(value(field))))
                .collect(Collectors.toList());
    }
}
