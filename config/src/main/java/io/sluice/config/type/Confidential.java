package io.sluice.config.type;

/** A value that logs, reports and messages do not show: its {@code toString} masks what is secret in it. */
public interface Confidential {
    /** Stands for what is not shown. */
    String MASK = "***";
}
