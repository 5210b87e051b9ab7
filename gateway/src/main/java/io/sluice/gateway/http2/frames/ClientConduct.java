package io.sluice.gateway.http2.frames;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Exception.ShutdownHint;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.Http2Config;

/** What a client has asked of a connection lately, and whether that was too much. */
final class ClientConduct {
    private final Allowance resets;
    private final Allowance controlFrames;
    private String complaint;

    ClientConduct(Http2Config config, Ticker clock) {
        resets = new Allowance(config.maxResets(), config.interval(), clock);
        controlFrames = new Allowance(config.maxControlFrames(), config.interval(), clock);
    }

    /** A stream is reset, by the client or because of it. */
    void reset() {
        if (!resets.take()) {
            complain("too many resets");
        }
    }

    /** A frame asks for nothing but attention. */
    void controlFrame() {
        if (!controlFrames.take()) {
            complain("too many frames that ask for nothing");
        }
    }

    /** It must not go on like this. */
    void complain(String what) {
        complaint = complaint == null ? what : complaint;
    }

    /**
     * Ends the connection where there is reason to.
     *
     * @throws Http2Exception which the codec answers with GOAWAY
     */
    void requireCalm() throws Http2Exception {
        if (complaint != null) {
            // With this hint the GOAWAY names the last stream that was begun.
            throw new Http2Exception(Http2Error.ENHANCE_YOUR_CALM, complaint, ShutdownHint.NO_SHUTDOWN);
        }
    }
}
