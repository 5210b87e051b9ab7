package io.sluice.gateway.offload;

/** Kinds of a pool's worker threads. All guarantees hold for each of them. */
enum PoolKind {
    PLATFORM("kind = platform"),
    VIRTUAL("kind = virtual");

    private final String setting;

    PoolKind(String setting) {
        this.setting = setting;
    }

    /** Returns the line of a pool's configuration that chooses this kind. */
    String setting() {
        return setting;
    }
}
