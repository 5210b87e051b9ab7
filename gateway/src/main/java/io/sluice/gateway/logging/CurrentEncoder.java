package io.sluice.gateway.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;

/** Encodes log events by another encoder, which can be exchanged at any time. Thread-safe. */
final class CurrentEncoder extends EncoderBase<ILoggingEvent> {
    private volatile Encoder<ILoggingEvent> current = new TextLineEncoder();

    /** Starts an encoder, and encodes further events by it. */
    void use(Encoder<ILoggingEvent> next, Context context) {
        next.setContext(context);
        next.start();
        current = next;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return current.encode(event);
    }

    @Override
    public byte[] headerBytes() {
        return current.headerBytes();
    }

    @Override
    public byte[] footerBytes() {
        return current.footerBytes();
    }
}
