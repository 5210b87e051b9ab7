package io.sluice.offload.spill;

import java.io.IOException;

/** The reason why nothing more can be kept on disk. */
public final class SpillException extends IOException {
    private static final long serialVersionUID = 1L;

    SpillException(String reason) {
        super(reason);
    }
}
