package io.sluice.handlers.write;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.sluice.handlers.HttpException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The versions in the If-Match of a request (RFC 9110 section 13.1.1), from entity tags that a query with
 * {@code etag = column version} has made.
 *
 * @param versions null for {@code *}, which is any version
 */
public record IfMatch(@Nullable List<String> versions) {
    /** A tag may contain commas. A malformed tag ends the list. */
    private static final Pattern NEXT =
            Pattern.compile("\\G[ \\t,]*+(?<weak>W/)?+\"(?<opaque>[!\\x23-\\x7E\\x80-\\xFF]*+)\"");
    /** The suffix by which tags of representations differ: all of them are of the same version. */
    private static final Pattern SUFFIX = Pattern.compile("(?:;csv|(?:;ndjson)?(?:;exact)?)$");

    /** Returns the precondition; null if there is none. Weak tags match nothing. */
    public static @Nullable IfMatch of(HttpHeaders request) {
        List<String> fields = request.getAll(HttpHeaderNames.IF_MATCH);
        if (fields.isEmpty()) {
            return null;
        }
        var versions = new ArrayList<String>();
        for (String field : fields) {
            if (field.strip().equals("*")) {
                return new IfMatch(null);
            }
            Matcher tag = NEXT.matcher(field);
            while (tag.find()) {
                if (tag.group("weak") == null) {
                    versions.add(version(tag.group("opaque")));
                }
            }
        }
        return new IfMatch(versions);
    }

    private static String version(String opaque) {
        String encoded = SUFFIX.matcher(opaque).replaceFirst("");
        try {
            return QueryStringDecoder.decodeComponent(encoded.replace("+", "%2B"));
        } catch (IllegalArgumentException e) {
            return encoded; // not a tag of ours
        }
    }

    /** Returns the response to a request without a precondition that it must have (RFC 6585 section 3). */
    public static HttpException required() {
        return new HttpException(HttpResponseStatus.PRECONDITION_REQUIRED,
                "If-Match: missing (expected: the ETag of the state that is to be changed, or *)");
    }
}
