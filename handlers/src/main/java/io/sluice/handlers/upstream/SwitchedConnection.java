package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;

/** A connection to an endpoint after a 101: plain bytes both ways. Confined to its event loop. */
public interface SwitchedConnection {

    /** Sets the receiver of all further events, which have waited for it. */
    void receive(Receiver receiver);

    /** Writes bytes, owned by the connection from here on; {@link #flush} sends them. */
    void write(ByteBuf bytes);

    /** Sends the written bytes. */
    void flush();

    /** Returns whether the endpoint reads as fast as bytes are written. */
    boolean isWritable();

    /** Stops reading until {@link #resume()}. */
    void pause();

    /** Resumes reading. */
    void resume();

    /** Closes the sending half after the written bytes. */
    void shutdownOutput();

    /** Closes the connection at once. */
    void close();

    /** Runs an action when the connection is closed, on its event loop. */
    void onClose(Runnable action);

    /** Receives the endpoint's bytes. */
    interface Receiver {
        /** Receives bytes, owned by the receiver from here on. */
        void read(ByteBuf bytes);

        /** Called when all bytes that have arrived are delivered. */
        void readComplete();

        /** Called when {@link #isWritable()} becomes true again. */
        void writable();

        /** Called when the endpoint has closed its sending half. */
        void inputClosed();

        /**
         * Called when the connection is closed.
         *
         * @param broken whether by an error, such as a reset by the endpoint
         */
        void closed(boolean broken);
    }
}
