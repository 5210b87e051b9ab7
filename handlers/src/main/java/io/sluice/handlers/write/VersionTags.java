package io.sluice.handlers.write;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.handlers.HttpException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The versions in the If-Match or If-None-Match of a request (RFC 9110 sections 13.1.1 and 13.1.2), from
 * entity tags that a query with {@code etag = column version} has made.
 *
 * @param versions null for {@code *}, which is any version
 */
public record VersionTags(@Nullable List<String> versions) {
    /** The most versions of a request. An event loop parses them, an invalid one in 10 µs. */
    private static final int MAX = 100;

    /** A tag may contain commas. */
    private static final Pattern NEXT = Pattern.compile(
            "\\G[ \\t,]*+(?<weak>W/)?+\"(?<opaque>[!\\x23-\\x7E\\x80-\\xFF]*+)\"[ \\t]*+(?=,|$)");
    private static final Pattern END = Pattern.compile("[ \\t,]*+");
    /** The suffix by which tags of representations differ: all of them are of the same version. */
    private static final Pattern SUFFIX =
            Pattern.compile("(?:;csv|(?:;ndjson)?(?:;exact)?)(?:;(?:br|gzip|zstd))?$");

    /**
     * Returns the If-Match; null if there is none, 400 for too many tags. Weak and malformed tags match
     * nothing.
     */
    public static @Nullable VersionTags ifMatch(HttpHeaders request) {
        return of(request, Source.IF_MATCH);
    }

    /** Returns the If-None-Match; null if there is none, 400 for a malformed tag and for too many. */
    public static @Nullable VersionTags ifNoneMatch(HttpHeaders request) {
        return of(request, Source.IF_NONE_MATCH);
    }

    /** Returns the header of a precondition. */
    public static String header(Source source) {
        return source == Source.IF_MATCH ? "If-Match" : "If-None-Match";
    }

    /** Returns the preconditions that a request has. */
    public static Set<Source> preconditions(HttpHeaders request) {
        return Source.PRECONDITIONS.stream().filter(source -> request.contains(header(source)))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static @Nullable VersionTags of(HttpHeaders request, Source source) {
        List<String> fields = request.getAll(header(source));
        if (fields.isEmpty()) {
            return null;
        }
        boolean strong = source == Source.IF_MATCH;
        var versions = new ArrayList<String>();
        for (String field : fields) {
            if (field.strip().equals("*")) {
                return new VersionTags(null);
            }
            Matcher tag = NEXT.matcher(field);
            int end = 0;
            while (tag.find()) {
                if (tag.group("weak") == null || !strong) {
                    if (versions.size() == MAX) {
                        throw HttpException.badParameter(header(source), "more than " + MAX + " entity tags",
                                "at most " + MAX);
                    }
                    versions.add(version(tag.group("opaque")));
                }
                end = tag.end();
            }
            if (!strong && !END.matcher(field).region(end, field.length()).matches()) {
                throw HttpException.badParameter(header(source), field, "* or entity tags, such as \"3\"");
            }
        }
        return new VersionTags(versions);
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
    public static HttpException required(Source source) {
        return new HttpException(HttpResponseStatus.PRECONDITION_REQUIRED, header(source)
                + ": missing (expected: " + (source == Source.IF_MATCH
                        ? "the ETag of the state that is to be changed, or *)"
                        : "*, or the ETags of states that are not to be changed)"));
    }
}
