/**
 * Results of queries that are sent again when a topic has a message: {@link
 * io.sluice.handlers.live.LiveHandler} begins a stream, a {@link io.sluice.handlers.live.LiveResult} runs the
 * query for all streams of the same result, and each event loop sends the newest state to its own streams.
 */
package io.sluice.handlers.live;
