package io.sluice.handlers.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.search.AbstractSearchProcessorFactory;
import io.netty.buffer.search.SearchProcessorFactory;
import io.netty.handler.codec.http.HttpHeaderValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads forms of the type {@code multipart/form-data} (RFC 7578) from whole bodies, in linear time. A part
 * with a filename, or of octets, is a file; others are texts.
 */
final class MultipartForm {
    /** RFC 2046 section 5.1.1. */
    private static final Pattern BOUNDARY = Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[^ ]");
    private static final byte[] BLANK_LINE = {'\r', '\n', '\r', '\n'};
    private static final SearchProcessorFactory BLANK_LINES =
            AbstractSearchProcessorFactory.newKmpSearchProcessorFactory(BLANK_LINE);
    private static final int MAX_HEADERS = 4 * 1024;
    /** Deprecated by RFC 7578 section 4.7; these change nothing. */
    private static final Set<String> UNCODED = Set.of("7bit", "8bit", "binary");

    private final byte[] body;
    private final ByteBuf bytes;
    private final byte[] delimiter;
    private final SearchProcessorFactory delimiters;
    private final List<FormField> fields = new ArrayList<>();

    private MultipartForm(byte[] body, String boundary) {
        this.body = body;
        bytes = Unpooled.wrappedBuffer(body);
        delimiter = ("\r\n--" + boundary).getBytes(ISO_8859_1);
        delimiters = AbstractSearchProcessorFactory.newKmpSearchProcessorFactory(delimiter);
    }

    static boolean isBoundary(String boundary) {
        return BOUNDARY.matcher(boundary).matches();
    }

    static List<FormField> read(byte[] body, String boundary) {
        var form = new MultipartForm(body, boundary);
        form.parts();
        return form.fields;
    }

    private void parts() {
        // The first delimiter may be the first line.
        boolean atOnce = body.length >= delimiter.length - 2
                && Arrays.equals(body, 0, delimiter.length - 2, delimiter, 2, delimiter.length);
        int found = atOnce ? -2 : find(delimiters, delimiter.length, 0, body.length);
        while (true) {
            int at = found == body.length ? body.length : found + delimiter.length;
            if (at + 1 < body.length && body[at] == '-' && body[at + 1] == '-') {
                return;
            }
            while (at < body.length && (body[at] == ' ' || body[at] == '\t')) {
                at++;
            }
            if (at + 1 >= body.length || body[at] != '\r' || body[at + 1] != '\n') {
                throw FormText.refusal("multipart/form-data with its delimiters, whole");
            }
            found = find(delimiters, delimiter.length, at, body.length);
            if (found == body.length) {
                throw FormText.refusal("multipart/form-data with its delimiters, whole");
            }
            part(at, found);
        }
    }

    /** Reads a part between two delimiters; {@code from} is the line break before its headers. */
    private void part(int from, int to) {
        Form.requireFew(fields.size() + 1);
        int most = Math.min(to, from + MAX_HEADERS);
        int blank = find(BLANK_LINES, BLANK_LINE.length, from, most);
        if (blank == most) {
            throw FormText.refusal("parts with at most 4 KiB of headers and a blank line behind them");
        }
        Map<String, String> headers = headers(from + 2, blank);
        HeaderParameters disposition = HeaderParameters.parse(
                headers.getOrDefault("content-disposition", ""));
        String name = disposition.parameter("name");
        if (!disposition.value().equals("form-data") || name == null) {
            throw FormText.refusal("parts with Content-Disposition: form-data and a name");
        }
        if (!UNCODED.contains(headers.getOrDefault("content-transfer-encoding", "binary")
                .toLowerCase(Locale.ROOT))) {
            throw FormText.refusal("parts without a Content-Transfer-Encoding");
        }
        int value = blank + BLANK_LINE.length;
        String fileName = disposition.parameters().getOrDefault("filename",
                disposition.parameter("filename*"));
        HeaderParameters type = HeaderParameters.parse(headers.getOrDefault("content-type", "text/plain"));
        if (fileName != null || HttpHeaderValues.APPLICATION_OCTET_STREAM.contentEquals(type.value())) {
            fields.add(new FormField(name, "", Arrays.copyOfRange(body, value, to),
                    Objects.requireNonNullElse(fileName, "octets")));
        } else if (Form.isUtf8(type)) {
            fields.add(new FormField(name, FormText.of(body, value, to)));
        } else {
            throw FormText.refusal("a form in UTF-8");
        }
    }

    private Map<String, String> headers(int from, int to) {
        var headers = new HashMap<String, String>();
        if (from >= to) {
            return headers;
        }
        for (String line : FormText.of(body, from, to).split("\r\n", -1)) {
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
            if (name.isEmpty() || headers.put(name, line.substring(colon + 1).strip()) != null) {
                throw FormText.refusal("parts with one line for each header");
            }
        }
        return headers;
    }

    /** Returns the first place of some bytes; {@code to} if they are not there. */
    private int find(SearchProcessorFactory wanted, int length, int from, int to) {
        int last = bytes.forEachByte(from, Math.max(0, to - from), wanted.newSearchProcessor());
        return last < 0 ? to : last - length + 1;
    }
}
