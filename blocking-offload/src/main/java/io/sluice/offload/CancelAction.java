package io.sluice.offload;

/** What ends something that blocks: run at most once, on a thread of its own, and not once it is closed. */
final class CancelAction implements WorkScope.Registration {
    private final Runnable action;
    private Thread thread;
    private boolean closed;

    CancelAction(Runnable action) {
        this.action = action;
    }

    synchronized void start() {
        if (!closed && thread == null) {
            thread = Thread.ofVirtual().name("sluice-cancel").start(action);
        }
    }

    @Override
    public void close() {
        Thread started;
        synchronized (this) {
            closed = true;
            started = thread;
        }
        boolean interrupted = false;
        while (started != null && started.isAlive()) {
            try {
                started.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
