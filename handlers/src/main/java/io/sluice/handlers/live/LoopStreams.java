package io.sluice.handlers.live;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The streams of a result on one event loop. Each is sent the newest state, in slices, between which the loop
 * handles other events; a state that comes meanwhile takes the place of the one before. Confined to its loop.
 */
final class LoopStreams {
    /** The sends of a slice, about 0.5 ms. */
    private static final int SLICE = 64;

    private final EventExecutor loop;
    private final List<LiveStream> streams = new ArrayList<>(1);
    /** Retained. */
    private LiveState state = LiveState.none();
    /** The number of streams, from the first one on, that have not been sent the state. */
    private int ahead;
    private boolean scheduled;

    LoopStreams(EventExecutor loop) {
        this.loop = loop;
    }

    EventExecutor loop() {
        return loop;
    }

    LiveState state() {
        return state;
    }

    void add(LiveStream stream) {
        stream.index = streams.size();
        streams.add(stream);
    }

    /** Removes a stream, whose place the last one takes; that may be sent the state again, which it skips. */
    void remove(LiveStream stream) {
        LiveStream last = streams.removeLast();
        if (last != stream) {
            streams.set(stream.index, last);
            last.index = stream.index;
        }
        ahead = Math.min(ahead, streams.size());
    }

    /** Sends a state, which is owned by this object from here on. */
    void show(LiveState newest) {
        state.release();
        state = newest;
        ahead = streams.size();
        if (!scheduled) {
            sendSlice();
        }
    }

    private int send(LiveStream stream) {
        try {
            return stream.show(state);
        } catch (Throwable e) {
            stream.fail(e); // the others get theirs
            return 1;
        }
    }

    private void sendSlice() {
        scheduled = false;
        int sends = SLICE;
        while (sends > 0 && ahead > 0) {
            sends -= send(streams.get(--ahead));
        }
        if (ahead > 0) {
            scheduled = true;
            loop.schedule(this::sendSlice, 0, TimeUnit.NANOSECONDS);
        }
    }
}
