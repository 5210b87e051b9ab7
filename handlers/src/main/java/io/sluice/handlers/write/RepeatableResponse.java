package io.sluice.handlers.write;

import java.io.IOException;

/** A response that can be stored before it is sent, and sent again. Confined to its worker. */
public interface RepeatableResponse {

    /**
     * Lets nothing be sent before the transaction has ended: a larger body makes writing fail.
     *
     * @param bytes the largest body
     */
    void keepWhole(int bytes);

    /** Returns the response that has been written. */
    StoredResponse stored();

    /** Writes a response that has been stored, with a header that says so. */
    void repeat(StoredResponse stored) throws IOException;
}
