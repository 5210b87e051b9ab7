package io.sluice.gateway.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.CopyOnWriteArrayList;

/** A list of logged events that can be read while others are added. */
public final class LoggedEvents extends ListAppender<ILoggingEvent> {
    /** Creates an empty list. */
    public LoggedEvents() {
        list = new CopyOnWriteArrayList<>();
    }
}
