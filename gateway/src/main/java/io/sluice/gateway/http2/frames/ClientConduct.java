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
    /** The most small window updates that are excused in advance. */
    private static final int MAX_EXCUSED_UPDATES = 1000;
    /** The most streams that are excused before the client knows how many it may open. */
    static final int MAX_EXCUSED_STREAMS = 1000;

    private final RateLimit resets;
    private final RateLimit controlFrames;
    /** Indicates whether DATA was sent since the client's last PING. */
    private boolean dataSent;
    private boolean excused;
    /** The small window updates with which the client may still answer DATA. */
    private int excusedUpdates;
    private int excusedStreams;
    private boolean settled;
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

    /** Notes that the client has acknowledged SETTINGS: it knows how many streams it may open. */
    void settled() {
        settled = true;
    }

    /** Excuses the reset of one stream too many while the client cannot know the limit. */
    void tooManyStreams() {
        if (!settled && excusedStreams < MAX_EXCUSED_STREAMS) {
            excusedStreams++;
            excuseReset();
        }
    }

    /**
     * Notes that DATA is sent to the client.
     *
     * @param content whether it has content of which no window has cut off a part: some clients answer each
     *     such frame with small window updates, one for the stream and one for the connection
     */
    void dataSent(boolean content) {
        dataSent = true;
        excusedUpdates = Math.min(excusedUpdates + (content ? 2 : 0), MAX_EXCUSED_UPDATES);
    }

    /** Counts a window update by which a client may get a response in tiny pieces (CVE-2019-9511). */
    void smallUpdate() {
        if (excusedUpdates > 0) {
            excusedUpdates--;
        } else {
            controlFrame();
        }
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
