package io.sluice.handlers.upstream.http2;

/** Receives the events of a connection, on its event loop. */
public interface ConnectionEvents {

    /** Called when the endpoint has accepted the connection, by its first SETTINGS. */
    void accepted(ClientConnection connection);

    /** Called when the connection may have got room: by SETTINGS, or by the end of a stream. */
    void changed(ClientConnection connection);

    /** Called when the connection is closed, perhaps before the endpoint has accepted it. */
    void closed(ClientConnection connection);
}
