package io.sluice.handlers.query;

import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.form.FormField;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.json.MemberValue;
import io.sluice.handlers.write.VersionTags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values of a query's parameters while they are read from a request, and all mistakes in them. One thread
 * at a time.
 */
final class QueryArguments {
    /** The text of databases, with a space before the time, and an offset that may be hours alone. */
    private static final Pattern STORED_TIMESTAMP =
            Pattern.compile("(?<date>\\S++) (?<time>\\S+?)(?<hours>[+-]\\d\\d)?");

    /** The most bytes that a request keeps as values while it waits in the queue of a pool. */
    private static final int MAX_WAITING = 4096;
    /** About the bytes of an object without its text, and of the reference to it. */
    private static final int OBJECT_BYTES = 48;
    private static final int REFERENCE_BYTES = 4;

    private final @Nullable Object[] values;
    private final List<Mistake> mistakes = new ArrayList<>(0);
    private boolean inForm;
    /** About the bytes of the values. */
    private long bytes;

    /**
     * Creates arguments without values.
     *
     * @param size the number of values
     */
    QueryArguments(int size) {
        values = new @Nullable Object[size];
    }

    /** Creates arguments with the values of others, which have no mistakes. */
    QueryArguments(QueryArguments head) {
        values = head.values.clone();
    }

    /** Returns the mistakes so far, to which others may be added. */
    List<Mistake> mistakes() {
        return mistakes;
    }

    /**
     * Returns whether the values are too large to wait in a queue: those of an array can take twenty times
     * the bytes of the request.
     */
    boolean areLarge() {
        return bytes > MAX_WAITING;
    }

    /** Takes parameters of the body for fields of a form from here on. */
    void readForm() {
        inForm = true;
    }

    /** Sets a value from the fields of a form with its name. */
    void fields(QueryParameter parameter, List<FormField> sent) {
        List<FormField> fields = sent.stream().filter(field -> !field.isNoFile()).toList();
        FormField first = fields.isEmpty() ? null : fields.getFirst();
        if (first == null) {
            absent(parameter);
        } else if (fields.stream().anyMatch(field -> field.file() != null && !parameter.isBytes())) {
            wrong(parameter, "a file", parameter.config().expectation());
        } else if (fields.size() == 1 && first.file() == null && first.text().isEmpty()
                && !parameter.config().required() && !parameter.isText()) {
            explicitNull(parameter); // an input that is left empty
        } else if (parameter.config().type().isArray()) {
            elements(parameter, fields.stream().map(FormField::text).toList());
        } else if (fields.size() > 1) {
            addRepeated(parameter, fields.size());
        } else if (first.file() != null) {
            sent(parameter, true);
            values[parameter.index()] = first.file();
            bytes += first.file().length;
        } else if (parameter.isJson() && !Json.isValue(first.text())) {
            wrong(parameter, first.text(), parameter.config().expectation());
        } else {
            text(parameter, first.text());
        }
    }

    /** Sets the values of parameters that are members of an object in the body. */
    void members(List<QueryParameter> parameters, Map<String, MemberValue> members) {
        for (QueryParameter parameter : parameters) {
            if (parameter.source() != Source.BODY) {
                continue;
            }
            switch (members.get(parameter.name())) {
                case null -> absent(parameter);
                case MemberValue.None.NULL -> explicitNull(parameter);
                case MemberValue.None.MISTAKEN -> { }
                case MemberValue.Each _ -> throw new IllegalStateException(parameter.name());
                case MemberValue.Text(String text) -> text(parameter, text);
                case MemberValue.Elements(List<@Nullable String> texts) -> elements(parameter, texts);
            }
        }
    }

    /**
     * Sets a value from the texts that a request has for it. Several are a mistake: a client's own must not
     * stand before that of a proxy.
     */
    void texts(QueryParameter parameter, List<String> texts) {
        switch (texts.size()) {
            case 0 -> absent(parameter);
            case 1 -> text(parameter, texts.getFirst());
            default -> addRepeated(parameter, texts.size());
        }
    }

    private void addRepeated(QueryParameter parameter, int times) {
        wrong(parameter, "given " + times + " times", "once");
    }

    /** Sets a value from its text. */
    void text(QueryParameter parameter, String text) {
        sent(parameter, true);
        try {
            // A + in a query string arrives as a space.
            boolean isPlus = parameter.isBytes() && parameter.source() == Source.QUERY_STRING;
            values[parameter.index()] = valueOf(parameter, isPlus ? text.replace(' ', '+') : text);
        } catch (IllegalArgumentException e) {
            wrong(parameter, text, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Sets an array from the texts of its elements. They are read until there are more mistakes than a
     * response tells.
     *
     * @param texts null for an element that is among the mistakes
     */
    void elements(QueryParameter parameter, List<? extends @Nullable String> texts) {
        sent(parameter, true);
        var elements = new ArrayList<Object>(texts.size());
        for (int i = 0; i < texts.size() && mistakes.size() < HttpException.MAX_MISTAKES; i++) {
            String text = texts.get(i);
            try {
                if (text != null) {
                    elements.add(valueOf(parameter, text));
                }
            } catch (IllegalArgumentException e) {
                String detail = Mistake.unexpected(text, String.valueOf(e.getMessage()));
                mistakes.add(parameter.source() != Source.BODY || inForm ? mistake(parameter, detail)
                        : Mistake.ofElement(parameter.name(), i, detail));
            }
        }
        values[parameter.index()] = elements;
    }

    /**
     * Sets an array of the versions in If-Match or If-None-Match, or NULL for any version. A text that is no
     * valid version is that of no row. 428 if the header is missing and required. Otherwise a missing
     * If-Match is any version, and a missing If-None-Match is none.
     */
    void precondition(QueryParameter parameter, HttpHeaders request) {
        boolean isMatch = parameter.source() == Source.IF_MATCH;
        VersionTags match;
        try {
            match = isMatch ? VersionTags.ifMatch(request) : VersionTags.ifNoneMatch(request);
        } catch (HttpException malformed) {
            mistakes.addAll(malformed.mistakes());
            return;
        }
        if (match == null) {
            if (parameter.config().required()) {
                throw VersionTags.required(parameter.source());
            }
            absent(parameter);
            values[parameter.index()] = isMatch ? null : List.of();
            return;
        }
        sent(parameter, true);
        if (match.versions() != null) {
            values[parameter.index()] = match.versions().stream()
                    .flatMap(version -> valid(parameter, version)).toList();
        }
    }

    private Stream<Object> valid(QueryParameter parameter, String text) {
        if (text.indexOf(0) >= 0) {
            return Stream.empty(); // that of no row, and an error of PostgreSQL's
        }
        try {
            return Stream.of(valueOf(parameter, parameter.isTimestamp() ? isoTimestamp(text) : text));
        } catch (IllegalArgumentException e) {
            return Stream.empty(); // matches nothing
        }
    }

    private static String isoTimestamp(String version) {
        Matcher parts = STORED_TIMESTAMP.matcher(version);
        return !parts.matches() ? version : parts.group("date") + 'T' + parts.group("time")
                + (parts.group("hours") == null ? "" : parts.group("hours") + ":00");
    }

    private Object valueOf(QueryParameter parameter, String text) {
        bytes += OBJECT_BYTES + text.length();
        return parameter.config().valueOf(text);
    }

    /** Adds an element for which a step runs, to others of its array. */
    void addTo(List<@Nullable Object[]> elements, QueryArguments element) {
        elements.add(element.values);
        bytes += OBJECT_BYTES + (long) REFERENCE_BYTES * element.values.length + element.bytes;
    }

    /** Sets the elements for which a step runs, each an array of the values of its members. */
    void each(int index, List<@Nullable Object[]> elements) {
        values[index] = elements;
    }

    /** Returns the values without regard to mistakes. */
    @Nullable Object[] raw() {
        return values;
    }

    /** Sets NULL, which stands in the body. */
    void explicitNull(QueryParameter parameter) {
        sent(parameter, true);
        if (parameter.config().required()) {
            wrong(parameter, "null", parameter.config().expectation());
        }
    }

    /** Sets the default; the request has no such parameter. */
    void absent(QueryParameter parameter) {
        sent(parameter, false);
        if (parameter.fallback() == null && parameter.config().required()) {
            wrong(parameter, "missing", parameter.config().expectation());
        }
        values[parameter.index()] = parameter.fallback();
    }

    private void sent(QueryParameter parameter, boolean sent) {
        if (parameter.companion() >= 0) {
            values[parameter.companion()] = sent;
        }
    }

    private void wrong(QueryParameter parameter, String value, String expected) {
        mistakes.add(mistake(parameter, Mistake.unexpected(value, expected)));
    }

    private Mistake mistake(QueryParameter parameter, String detail) {
        return inForm ? parameter.mistakeInForm(detail) : parameter.mistake(detail);
    }

    /**
     * Returns the values, in the order in which {@link QueryParameters} numbers them.
     *
     * @throws HttpException 400 with all mistakes, if there are any
     */
    @Nullable Object[] values() {
        if (!mistakes.isEmpty()) {
            throw HttpException.badRequest(mistakes);
        }
        return values;
    }
}
