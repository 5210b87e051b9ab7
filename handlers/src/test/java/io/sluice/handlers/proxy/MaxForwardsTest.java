package io.sluice.handlers.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.message.FlatHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaxForwardsTest {

    private static HttpRequest options(String value) {
        var request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.OPTIONS, "/");
        request.headers().set("Max-Forwards", value);
        return request;
    }

    @ParameterizedTest
    @CsvSource({"0, true", "000, true", "1, false", "001, false", "x, false", "0x, false"})
    void zeroEndsTheWay(String value, boolean usedUp) {
        assertThat(MaxForwards.isUsedUp(options(value))).isEqualTo(usedUp);
    }

    /** A client may send as many characters as a header may have, to any path. */
    @Test
    @Timeout(30)
    void aLongValueIsReadInLinearTime() {
        for (String digits : new String[] {"0".repeat(1_000_000), "1".repeat(1_000_000)}) {
            var headers = new FlatHeaders(1);
            MaxForwards.decrement(options(digits + 'x'), headers);
            assertThat(headers.isEmpty()).as("not a number").isTrue();
        }
    }
}
