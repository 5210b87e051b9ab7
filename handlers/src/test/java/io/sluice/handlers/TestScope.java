package io.sluice.handlers;

import io.sluice.offload.Deadline;
import io.sluice.offload.WorkScope;
import java.util.function.BooleanSupplier;

/** The scope of work that nothing cancels. */
public record TestScope(Deadline deadline, BooleanSupplier abandoned) implements WorkScope {

    @Override
    public boolean isAbandoned() {
        return abandoned.getAsBoolean();
    }

    @Override
    public long clientGraceNanos() {
        return 0;
    }

    @Override
    public Registration onCancel(Runnable action) {
        return () -> { };
    }
}
