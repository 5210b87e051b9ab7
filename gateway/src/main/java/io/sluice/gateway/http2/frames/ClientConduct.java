package io.sluice.gateway.http2.frames;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Exception.ShutdownHint;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.Http2Config;
import org.jspecify.annotations.Nullable;

/**
 * Counts costly behaviour of a client on its connection, and ends the connection if it exceeds the limits.
 */
final class ClientConduct {
    private final RateLimit resets;
    private final RateLimit controlFrames;
    /** Indicates whether DATA was sent since the client's last PING. */
    private boolean dataSent;
    private boolean excused;
    private @Nullable String complaint;

    ClientConduct(Http2Config config, Ticker clock) {
        resets = new RateLimit(config.maxResets(), config.interval(), clock);
        controlFrames = new RateLimit(config.maxControlFrames(), config.interval(), clock);
    }

    /** Counts the next reset as one of the many small frames, since the client has not caused it. */
    void excuseReset() {
        excused = true;
    }

    /** Counts a stream that was reset by the client or because of an error of the client. */
    void reset() {
        if (excused) {
            excused = false;
            controlFrame();
        } else if (!resets.take()) {
            complain("too many resets");
        }
    }

    /** Counts a frame that carries no request, content or sizeable window update. */
    void controlFrame() {
        if (!controlFrames.take()) {
            complain("too many frames that ask for nothing");
        }
    }

    /** Notes that DATA is sent to the client. */
    void dataSent() {
        dataSent = true;
    }

    /**
     * Counts a PING, except the first one after DATA: a client may measure with it how fast it receives, as
     * those of gRPC do in each round trip.
     */
    void ping() {
        if (!dataSent) {
            controlFrame();
        }
        dataSent = false;
    }

    /**
     * Marks the connection to be ended at the next frame.
     *
     * @param what the reason for the client
     */
    void complain(String what) {
        complaint = complaint == null ? what : complaint;
    }

    /**
     * Ends the connection if a limit has been exceeded.
     *
     * @throws Http2Exception to which the codec responds with GOAWAY
     */
    void requireCalm() throws Http2Exception {
        if (complaint != null) {
            throw notCalm(complaint);
        }
    }

    /** Returns the error of a connection that takes too much. */
    static Http2Exception notCalm(String complaint) {
        // With this hint the GOAWAY contains the last accepted stream.
        return new Http2Exception(Http2Error.ENHANCE_YOUR_CALM, complaint, ShutdownHint.NO_SHUTDOWN);
    }
}
