package io.sluice.offload.spill;

/** Bytes that cannot be kept on disk, or read from it: no space is left for them, or the disk fails. */
public final class SpillException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SpillException(String reason, Throwable cause) {
        // Without a stack trace: a full disk fails every answer that spills.
        super(reason, cause, false, false);
    }
}
