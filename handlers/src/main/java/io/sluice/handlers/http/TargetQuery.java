package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.sluice.handlers.HttpException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Decodes the query of request targets. */
public final class TargetQuery {
    private static final int MAX_PARAMETERS = 1024;
    private static final char MAX_ASCII = 0x7F;

    private TargetQuery() {
    }

    /**
     * Returns the parameters by their names. Only {@code &} separates them, as intermediaries may not treat
     * {@code ;} as a separator.
     *
     * @throws IllegalArgumentException for a malformed percent-encoding
     * @throws HttpException 400 for more than 1,024 parameters
     */
    public static Map<String, List<String>> parameters(String target) {
        // The decoder drops further parameters silently, so it gets one more than there may be.
        Map<String, List<String>> parameters = new QueryStringDecoder(
                target, StandardCharsets.UTF_8, true, MAX_PARAMETERS + 1, true).parameters();
        if (parameters.values().stream().mapToInt(List::size).sum() > MAX_PARAMETERS) {
            throw tooMany();
        }
        return parameters;
    }

    /**
     * Returns the values of one parameter, without the memory for all of them: a map of the parameters takes
     * up to 25 times that of the target.
     *
     * @throws IllegalArgumentException for a malformed percent-encoding in this parameter
     * @throws HttpException 400 for more than 1,024 parameters
     */
    public static List<String> values(String target, String name) {
        List<String> values = List.of();
        int count = 0;
        for (int at = target.indexOf('?') + 1; at > 0; at = target.indexOf('&', at) + 1) {
            int next = target.indexOf('&', at);
            int end = next < 0 ? target.length() : next;
            while (at < end && target.charAt(at) == '=') { // as the decoder of parameters() does
                at++;
            }
            if (at < end && ++count > MAX_PARAMETERS) {
                throw tooMany();
            }
            int equals = target.indexOf('=', at, end);
            if (at < end && isName(target, at, equals < 0 ? end : equals, name)) {
                values = values.isEmpty() ? new ArrayList<>(1) : values;
                values.add(equals < 0 ? ""
                        : QueryStringDecoder.decodeComponent(target.substring(equals + 1, end)));
            }
        }
        return values;
    }

    /**
     * Compares an encoded name. ASCII is compared without decoding it, as a target may have a thousand names,
     * and a route many parameters.
     */
    private static boolean isName(String target, int from, int to, String name) {
        int at = from;
        for (int i = 0; i < name.length(); i++, at++) {
            char expected = name.charAt(i);
            char actual = at < to ? target.charAt(at) : '&';
            if (actual == '%' && expected > MAX_ASCII) {
                return QueryStringDecoder.decodeComponent(target.substring(from, to)).equals(name);
            } else if (actual == '%' && at + 2 < to) {
                actual = (char) HexFormat.fromHexDigits(target, at + 1, at + 3);
                at += 2;
            } else if (actual == '+') {
                actual = ' ';
            }
            if (actual != expected) {
                return false;
            }
        }
        return at == to;
    }

    private static HttpException tooMany() {
        return new HttpException(HttpResponseStatus.BAD_REQUEST,
                "query (expected: at most " + MAX_PARAMETERS + " parameters)");
    }

    /** Returns the encoded parameters of a target, without empty ones. */
    public static Stream<String> encoded(String target) {
        int mark = target.indexOf('?');
        return mark < 0 ? Stream.of() : Arrays.stream(target.substring(mark + 1).split("&"))
                .map(TargetQuery::withoutLeadingEquals).filter(parameter -> !parameter.isEmpty());
    }

    /** The decoder of {@link #parameters} takes none of them into account. */
    private static String withoutLeadingEquals(String parameter) {
        int at = 0;
        while (at < parameter.length() && parameter.charAt(at) == '=') {
            at++;
        }
        return parameter.substring(at);
    }

    /** Returns the name of an encoded parameter, decoded. */
    public static String name(String parameter) {
        int end = parameter.indexOf('=');
        return QueryStringDecoder.decodeComponent(end < 0 ? parameter : parameter.substring(0, end));
    }

    /**
     * Returns the elements of a parameter, decoded. Commas separate them. Besides a comma as such, an encoded
     * one is part of an element (RFC 6570 section 3.2.8); otherwise it separates them, too, as many clients
     * encode every comma.
     *
     * @param name the name of a parameter that the target has once
     */
    public static List<String> elements(String target, String name) {
        String parameter = encoded(target).filter(one -> name(one).equals(name)).findFirst().orElseThrow();
        int end = parameter.indexOf('=');
        String value = end < 0 ? "" : parameter.substring(end + 1);
        return value.indexOf(',') < 0
                ? List.of(QueryStringDecoder.decodeComponent(value).split(",", -1))
                : Arrays.stream(value.split(",", -1)).map(QueryStringDecoder::decodeComponent).toList();
    }
}
