package io.sluice.handlers.selection;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.sluice.config.selection.PagingConfig.Count;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A page of a result.
 *
 * @param target the target of the request for it
 * @param purpose the purpose of its cursors, which are not valid for another one
 * @param limit the largest number of rows
 * @param count whether, and how, the rows of all pages are counted; null for not
 * @param after the values of the order's columns in the row before it; null for the first page
 */
record Page(String target, CursorSeal seal, String purpose, int limit, @Nullable Count count,
            @Nullable List<@Nullable String> after) {

    static final String CURSOR = "cursor";
    static final String EXPECTED_CURSOR = "one of a Link of this route, with the same sort";

    /** Returns the Link (RFC 8288) to the page behind a row with these values of the order's columns. */
    String next(List<@Nullable String> values) {
        int mark = target.indexOf('?');
        // Several slashes are routed as one, but begin with a host in a reference (RFC 3986 section 4.2).
        String path = (mark < 0 ? target : target.substring(0, mark)).replaceFirst("^/+", "/");
        Stream<String> kept = mark < 0 ? Stream.of() : Arrays.stream(target.substring(mark + 1).split("&"))
                .filter(parameter -> !parameter.isEmpty() && !isCursor(parameter));
        String query = Stream.concat(kept, Stream.of(CURSOR + '=' + seal.seal(purpose, values)))
                .collect(Collectors.joining("&"));
        return '<' + (path + '?' + query).replace("<", "%3C").replace(">", "%3E") + ">; rel=\"next\"";
    }

    private static boolean isCursor(String parameter) {
        int end = parameter.indexOf('=');
        return QueryStringDecoder.decodeComponent(end < 0 ? parameter : parameter.substring(0, end))
                .equals(CURSOR);
    }
}
