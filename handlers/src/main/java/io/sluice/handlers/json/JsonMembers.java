package io.sluice.handlers.json;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads the members with certain names from a JSON object. */
public final class JsonMembers {
    /** The largest body, in bytes, that may be read on an event loop: at most about a millisecond of work. */
    public static final int MAX_ON_LOOP = 16 * 1024;
    /** The most members of an object. */
    public static final int MAX_MEMBERS = 1024;
    /** The most elements of an array of texts, numbers and booleans. */
    public static final int MAX_ELEMENTS = 1024;

    /** The most digits of a number that is parsed here. */
    private static final int MAX_DIGITS = 50;

    private final Map<String, MemberShape> wanted;
    private final Map<String, Objects> arrays;

    /**
     * An array of objects.
     *
     * @param members of each object
     * @param most the largest number of objects
     */
    public record Objects(JsonMembers members, int most) {
    }

    /** Creates a reader of the members with these names, which are texts, numbers and booleans. */
    public JsonMembers(Set<String> wanted) {
        this(wanted.stream().collect(Collectors.toMap(name -> name, _ -> MemberShape.SCALAR)));
    }

    /** Creates a reader of the members with these names and shapes. */
    public JsonMembers(Map<String, MemberShape> wanted) {
        this(wanted, Map.of());
    }

    /** Creates a reader of these members, and of arrays of objects. */
    public JsonMembers(Map<String, MemberShape> wanted, Map<String, Objects> arrays) {
        this.wanted = Map.copyOf(wanted);
        this.arrays = Map.copyOf(arrays);
    }

    /**
     * Reads a body that must be a JSON object in UTF-8 of texts, numbers, booleans and nulls, with at most
     * 1,024 members and no duplicate names; 400 for anything else. A null equals a missing member, and no
     * body equals an empty object. On an event loop only up to {@link #MAX_ON_LOOP}.
     *
     * @param body owned by the caller
     * @return the wanted members that are present
     */
    public Map<String, String> of(ByteBuf body) {
        var mistakes = new ArrayList<Mistake>();
        Map<String, MemberValue> values = read(body, mistakes);
        if (!mistakes.isEmpty()) {
            throw HttpException.badRequest(mistakes);
        }
        var texts = new HashMap<String, String>();
        values.forEach((name, value) -> {
            if (value instanceof MemberValue.Text(String text)) {
                texts.put(name, text);
            }
        });
        return texts;
    }

    /**
     * Reads a body like {@link #of}, with members of any shape that is wanted, and nulls.
     *
     * @param mistakes gets the members that have another shape
     */
    public Map<String, MemberValue> read(ByteBuf body, List<Mistake> mistakes) {
        if (!body.isReadable()) {
            return Map.of();
        }
        requireUtf8(body);
        try (InputStream in = new ByteBufInputStream(body.duplicate());
                JsonParser json = Json.parser(in)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw refusal("a JSON object");
            }
            Map<String, MemberValue> members = members(json, body, mistakes);
            if (json.nextToken() != null) {
                throw refusal("one JSON object and nothing after it");
            }
            return members;
        } catch (JacksonException e) {
            // There is no location if a name, number, text or nesting exceeds a limit of Jackson.
            throw refusal(e.getLocation() == null ? "a JSON object; something in it is too long or too deep"
                    : "a JSON object; column %d is wrong".formatted(e.getLocation().getColumnNr()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Rejects encodings that the parser accepts, but RFC 8259 section 8.1 does not: overlong UTF-8, and
     * UTF-16 and UTF-32, in which every JSON text contains a zero byte.
     */
    private static void requireUtf8(ByteBuf body) {
        boolean zero = body.indexOf(body.readerIndex(), body.writerIndex(), (byte) 0) >= 0;
        if (zero || !Utf8Validator.isValid(body)) {
            throw refusal("a JSON object in UTF-8");
        }
    }

    private Map<String, MemberValue> members(JsonParser json, ByteBuf body, List<Mistake> mistakes) {
        var names = new HashSet<String>();
        var members = new HashMap<String, MemberValue>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            if (!names.add(name)) {
                throw refusal("a JSON object that names each member once");
            }
            if (names.size() > MAX_MEMBERS) {
                throw refusal("a JSON object of at most " + MAX_MEMBERS + " members");
            }
            JsonToken first = json.nextToken();
            MemberShape shape = wanted.get(name);
            Objects objects = arrays.get(name);
            if (first == JsonToken.VALUE_NULL) {
                if (shape != null || objects != null) {
                    members.put(name, MemberValue.None.NULL);
                }
            } else if (objects != null) {
                members.put(name, each(name, objects, json, body, mistakes));
            } else if (shape == MemberShape.ANY) {
                members.put(name, new MemberValue.Text(source(json, body)));
            } else if (shape == MemberShape.ARRAY || shape == MemberShape.INTEGERS) {
                members.put(name, elements(name, shape == MemberShape.INTEGERS, json, mistakes));
            } else if (first.isStructStart()
                    || shape == MemberShape.STRING && first != JsonToken.VALUE_STRING) {
                mistakes.add(Mistake.ofMember(name, Mistake.unexpected(json.getString(),
                        shape == MemberShape.STRING ? "a text" : "a text, number, boolean or null")));
                json.skipChildren();
                members.put(name, MemberValue.None.MISTAKEN);
            } else if (shape != null) {
                members.put(name, new MemberValue.Text(text(json, shape == MemberShape.INTEGER)));
            }
        }
        return members;
    }

    private static MemberValue each(String name, Objects objects, JsonParser json, ByteBuf body,
                                    List<Mistake> mistakes) {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            mistakes.add(Mistake.ofMember(name,
                    Mistake.unexpected(json.getString(), "an array of objects")));
            json.skipChildren();
            return MemberValue.None.MISTAKEN;
        }
        var each = new ArrayList<@Nullable Map<String, MemberValue>>();
        int index = 0;
        for (JsonToken token = json.nextToken(); token != JsonToken.END_ARRAY; token = json.nextToken()) {
            if (token != JsonToken.START_OBJECT || index >= objects.most()) {
                if (index == objects.most()) {
                    mistakes.add(Mistake.ofMember(name, "too long (expected: at most " + index
                            + " elements)"));
                } else if (index < objects.most()) {
                    mistakes.add(Mistake.ofElement(name, index,
                            Mistake.unexpected(json.getString(), "an object")));
                    each.add(null);
                }
                json.skipChildren();
            } else {
                var inner = new ArrayList<Mistake>(0);
                each.add(objects.members().members(json, body, inner));
                for (Mistake mistake : inner) {
                    mistakes.add(mistake.within(name, index));
                }
            }
            if (mistakes.size() > HttpException.MAX_MISTAKES) {
                throw HttpException.badRequest(mistakes); // a small body can have millions
            }
            index++;
        }
        return new MemberValue.Each(each);
    }

    private static MemberValue elements(String name, boolean whole, JsonParser json, List<Mistake> mistakes) {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            mistakes.add(Mistake.ofMember(name, Mistake.unexpected(json.getString(), "an array")));
            json.skipChildren();
            return MemberValue.None.MISTAKEN;
        }
        var texts = new ArrayList<@Nullable String>();
        int index = 0;
        for (JsonToken token = json.nextToken(); token != JsonToken.END_ARRAY; token = json.nextToken()) {
            if (index < MAX_ELEMENTS) {
                boolean isScalar = token.isScalarValue() && token != JsonToken.VALUE_NULL;
                if (!isScalar) {
                    mistakes.add(Mistake.ofElement(name, index,
                            Mistake.unexpected(json.getString(),
                                    whole ? "a whole number" : "a text, number or boolean")));
                }
                texts.add(isScalar ? text(json, whole) : null);
            } else if (index == MAX_ELEMENTS) {
                mistakes.add(Mistake.ofMember(name, "too long (expected: at most " + MAX_ELEMENTS
                        + " elements)"));
            }
            index++;
            json.skipChildren();
        }
        return new MemberValue.Elements(texts);
    }

    private static String text(JsonParser json, boolean whole) {
        String text = Json.requireUnicode("body", json.getString());
        return whole && json.currentToken() == JsonToken.VALUE_NUMBER_FLOAT ? whole(text) : text;
    }

    /** Returns a whole number without fraction and exponent; another number as it is. */
    private static String whole(String number) {
        try {
            return number.length() > MAX_DIGITS ? number
                    : String.valueOf(new BigDecimal(number).longValueExact());
        } catch (ArithmeticException | NumberFormatException e) {
            return number; // which is no whole number, or too large
        }
    }

    /** Returns the current value as it stands in the body, since numbers must not lose digits. */
    private static String source(JsonParser json, ByteBuf body) {
        int start = (int) json.currentTokenLocation().getByteOffset();
        json.skipChildren();
        json.finishToken();
        int end = (int) json.currentLocation().getByteOffset();
        return body.toString(body.readerIndex() + start, end - start, StandardCharsets.UTF_8);
    }

    private static HttpException refusal(String expected) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, "body (expected: " + expected + ')');
    }
}
