package io.sluice.loadtest.experiments.peer;

import java.util.BitSet;

/**
 * The responses of the benchmark endpoints, with the same bytes as the gateway's.
 *
 * @param type the media type
 * @param body in ASCII
 */
record Answer(String type, String body) {

    static final Answer HELLO = new Answer("text/plain; charset=utf-8", "Hello, World!");

    /** The media type of JSON. */
    static final String JSON = "application/json";

    private static final int MIXED_FIBONACCI = 20;

    static Answer json(String body) {
        return new Answer(JSON, body);
    }

    /** The n-th Fibonacci number, iteratively; n up to 90 fits a long. */
    static Answer fibonacci(int n) {
        return computed(n, nthFibonacci(n));
    }

    /** The number of primes up to n, which is at least 2, by the sieve of Eratosthenes. */
    static Answer primes(int n) {
        var composite = new BitSet(n + 1);
        for (int p = 2; (long) p * p <= n; p++) {
            if (!composite.get(p)) {
                for (int multiple = p * p; multiple <= n; multiple += p) {
                    composite.set(multiple);
                }
            }
        }
        return computed(n, n - 1L - composite.cardinality());
    }

    private static Answer computed(int n, long result) {
        return json("{\"n\":" + n + ",\"result\":" + result + '}');
    }

    /** The response after a delay. */
    static Answer delayed(long millis) {
        return json("{\"delayMs\":" + millis + '}');
    }

    /** Computes a little; returns the response after a delay. */
    static Answer mixed(long millis) {
        return json("{\"delayMs\":" + millis + ",\"fibonacci\":" + nthFibonacci(MIXED_FIBONACCI) + '}');
    }

    private static long nthFibonacci(int n) {
        long a = 0;
        long b = 1;
        for (int i = 0; i < n; i++) {
            long next = a + b;
            a = b;
            b = next;
        }
        return a;
    }
}
