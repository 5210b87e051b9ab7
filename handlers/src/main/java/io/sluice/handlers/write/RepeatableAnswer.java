package io.sluice.handlers.write;

import java.io.IOException;

/** A response that can be stored before it is sent, and sent again. Confined to its worker. */
public interface RepeatableAnswer {

    /**
     * Lets nothing be sent before the transaction has ended: a larger body makes writing fail.
     *
     * @param bytes the largest body
     */
    void keepWhole(int bytes);

    /** Returns the response that has been written. */
    StoredAnswer stored();

    /** Writes a response that has been stored, with a header that says so. */
    void repeat(StoredAnswer stored) throws IOException;
}
