package io.sluice.loadtest.experiments.nodes;

/**
 * What became of the messages for one client, or for several.
 *
 * @param expected published for certain
 * @param received messages, each once
 * @param resyncs notices that messages may be missing
 * @param told missing messages that were sent before such a notice
 * @param repeated messages at a position that the client had seen; it drops them
 * @param doubled messages that the client had, at another position
 * @param lost missing messages without a notice
 * @param disconnections connections that ended or could not be opened
 */
record MessageTally(long expected, long received, long resyncs, long told, long repeated, long doubled,
        long lost, long disconnections) {

    static final MessageTally NONE = new MessageTally(0, 0, 0, 0, 0, 0, 0, 0);

    MessageTally plus(MessageTally other) {
        return new MessageTally(expected + other.expected, received + other.received, resyncs + other.resyncs,
                told + other.told, repeated + other.repeated, doubled + other.doubled, lost + other.lost,
                disconnections + other.disconnections);
    }
}
