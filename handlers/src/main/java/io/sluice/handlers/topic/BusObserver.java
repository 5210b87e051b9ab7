package io.sluice.handlers.topic;

/** Observes a bus, for meters. On threads of the bus. */
public interface BusObserver {

    /** Called when the bus has a message. */
    void published(long nanos);

    /** Called when a publication was refused or not answered in time. */
    void refused();

    /** Called when a connection was opened again after it was lost. */
    void reconnected();
}
