package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.AsciiString;
import io.sluice.gateway.http2.frames.ReceivedHeaders;
import io.sluice.handlers.message.FlatHeaders;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class StreamHeadTest {
    private static final AsciiString CRUMB = AsciiString.of("a=" + "1".repeat(3_998)); // in the HPACK table

    @Test
    void requestsShareTheCookiesThatAClientRepeatsByReference() {
        StreamHead.request(fieldsWithCookies(8));
        long before = allocatedBytes();
        var request = StreamHead.request(fieldsWithCookies(8));
        assertThat(allocatedBytes() - before).isLessThan(8_000); // the cookies have 32,000

        var headers = (FlatHeaders) request.headers();
        String joined = String.join("; ", Collections.nCopies(8, CRUMB));
        assertThat(headers.get(HttpHeaderNames.COOKIE)).isEqualTo(joined);
        assertThat(headers.getAll(HttpHeaderNames.COOKIE)).containsExactly(joined);
        assertThat(headers.entries()).extracting(field -> field.getValue()).contains(joined);
        assertThat(headers.value(0)).isInstanceOf(String.class).isEqualTo(joined);
    }

    @Test
    void cookiesAreReadByCharacterAcrossTheirParts() {
        var crumbs = new CookieCrumbs();
        crumbs.add("a=1");
        crumbs.add("");
        crumbs.add(AsciiString.of("b=2"));
        String joined = "a=1; ; b=2";
        assertThat(crumbs).hasToString(joined).hasSameSizeAs(joined);
        for (int round = 0; round < 2; round++) { // backwards from the end, too
            for (int i = 0; i < joined.length(); i++) {
                assertThat(crumbs.charAt(i)).isEqualTo(joined.charAt(i));
            }
        }
        assertThat(crumbs.subSequence(2, 7)).isEqualTo("1; ; ");
    }

    private static ReceivedHeaders fieldsWithCookies(int count) {
        var fields = new ReceivedHeaders(64 * 1024, 100);
        fields.add(AsciiString.of(":method"), AsciiString.of("GET"));
        fields.add(AsciiString.of(":scheme"), AsciiString.of("http"));
        fields.add(AsciiString.of(":authority"), AsciiString.of("shop"));
        fields.add(AsciiString.of(":path"), AsciiString.of("/"));
        for (int i = 0; i < count; i++) {
            fields.add(HttpHeaderNames.COOKIE, CRUMB);
        }
        return fields;
    }

    private static long allocatedBytes() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
