package io.sluice.loadtest.experiments.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Http2WireTest {

    @Test
    void makesFrames() {
        assertThat(Http2Wire.frame(Http2Wire.RST_STREAM, 0, 3, (byte) 0, (byte) 0, (byte) 0, (byte) 8))
                .containsExactly(0, 0, 4, 3, 0, 0, 0, 0, 3, 0, 0, 0, 8);
        assertThat(Http2Wire.frame(Http2Wire.HEADERS, Http2Wire.END_STREAM | Http2Wire.END_HEADERS, 0x102,
                new byte[0x123])).startsWith(0, 1, 0x23, 1, 5, 0, 0, 1, 2).hasSize(9 + 0x123);
    }

    /** The example of RFC 7541 appendix C.3.1, except that the dynamic table gets no entry. */
    @Test
    void makesTheHeaderBlockOfAGet() {
        assertThat(Http2Wire.get("/"))
                .containsExactly(0x82, 0x86, 1, 9, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't', 4, 1, '/');
    }
}
