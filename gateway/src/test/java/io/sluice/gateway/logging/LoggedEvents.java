package io.sluice.gateway.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.CopyOnWriteArrayList;

/** What is logged, to be read while more is. */
public final class LoggedEvents extends ListAppender<ILoggingEvent> {
    /** Without any yet. */
    public LoggedEvents() {
        list = new CopyOnWriteArrayList<>();
    }
}
