package io.sluice.gateway.exchange;

/** A step of an exchange, which may fail. */
@FunctionalInterface
public interface Step {
    /** Runs the step. */
    void run() throws Exception;
}
