package io.sluice.handlers.upstream;

/** A hash of 64 bits that is the same on every gateway. Not for secrets. */
public final class Hash {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private Hash() {
    }

    /** Returns the hash of a text, never 0. */
    public static long of(CharSequence text) {
        return of(text, 0, text.length());
    }

    /** Returns the hash of a part of a text, never 0. */
    public static long of(CharSequence text, int from, int to) {
        long hash = FNV_OFFSET;
        for (int i = from; i < to; i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return of(hash);
    }

    /** Returns the hash of a number, never 0. */
    public static long of(long number) {
        long mixed = mix(number);
        return mixed == 0 ? 1 : mixed;
    }

    /** Spreads bits (SplitMix64). */
    static long mix(long number) {
        long mixed = (number ^ number >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}
