package io.sluice.config.type;

/** A value that logs, reports and messages must not show: its {@code toString} masks its secret part. */
public interface Confidential {
    /** Replaces a secret. */
    String MASK = "***";
}
