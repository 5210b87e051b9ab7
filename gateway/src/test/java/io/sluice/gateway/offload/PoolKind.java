package io.sluice.gateway.offload;

/** What kind of threads a pool's workers are: each promise holds for all of them. */
enum PoolKind {
    PLATFORM("kind = platform"),
    VIRTUAL("kind = virtual");

    private final String setting;

    PoolKind(String setting) {
        this.setting = setting;
    }

    /** The line that says so in a pool's configuration. */
    String setting() {
        return setting;
    }
}
