package io.sluice.handlers;

import io.netty.util.internal.PlatformDependent;

/** The share of the memory of this process that one kind of data may take. */
public final class MemoryShare {
    /**
     * An eighth of direct memory, or of the heap if that is smaller, in bytes. Direct memory counts as short
     * only while a fifth of it is in use.
     */
    public static final long EIGHTH =
            Math.min(PlatformDependent.maxDirectMemory(), Runtime.getRuntime().maxMemory()) / 8;
    /** The same for data on its way, of which 64 MiB are enough. */
    public static final long UNDER_WAY = Math.min(64 << 20, EIGHTH);
    /** The size in bytes up to which a body counts in no share, since most bodies are smaller. */
    public static final int FREE_BODY = 8 * 1024;

    private MemoryShare() {
    }
}
