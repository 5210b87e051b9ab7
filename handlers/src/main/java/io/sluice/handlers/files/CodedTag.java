package io.sluice.handlers.files;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Strong entity tags of responses that are compressed on their way, such as {@code "3;gzip"}. A strong tag
 * stands for one encoding (RFC 9110 section 8.8.3.3), so compression makes it weak. But If-Match takes strong
 * ones only.
 */
public final class CodedTag {
    private static final String WEAK = "W/";
    private static final String CODING = ";(?:br|gzip|zstd)\"";
    private static final Pattern CODED = Pattern.compile(CODING + '$');

    private CodedTag() {
    }

    /** Returns the tag before compression. */
    static String uncoded(String opaque) {
        return CODED.matcher(opaque).replaceFirst("\"");
    }

    /**
     * Makes the tag of a response strong again: that of its coding, or for a 304 the one that the request
     * names (RFC 9110 section 15.4.5). On the event loop.
     */
    public static void strengthen(HttpHeaders request, HttpResponse response) {
        HttpHeaders headers = response.headers();
        String tag = headers.get(HttpHeaderNames.ETAG);
        if (tag == null) {
            return;
        }
        String strong = tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag;
        String coding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
        if (response.status().equals(HttpResponseStatus.NOT_MODIFIED)) {
            headers.set(HttpHeaderNames.ETAG, known(strong, request.getAll(HttpHeaderNames.IF_NONE_MATCH)));
        } else if (coding != null && !strong.equals(tag)) {
            headers.set(HttpHeaderNames.ETAG, strong.substring(0, strong.length() - 1) + ';' + coding + '"');
        }
    }

    /** Returns the tag with the coding that one of the client's tags has. */
    private static String known(String tag, List<String> fields) {
        Pattern coded = Pattern.compile(Pattern.quote(tag.substring(0, tag.length() - 1)) + CODING);
        for (String field : fields) {
            Matcher match = coded.matcher(field);
            if (match.find()) {
                return match.group();
            }
        }
        return tag;
    }
}
