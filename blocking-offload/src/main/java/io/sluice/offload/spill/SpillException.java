package io.sluice.offload.spill;

import org.jspecify.annotations.Nullable;

/** Bytes cannot be written to or read from disk: no space is left, or the disk fails. */
public final class SpillException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SpillException(String reason, @Nullable Throwable cause) {
        // Without a stack trace: a full disk fails every response that spills.
        super(reason, cause, false, false);
    }
}
