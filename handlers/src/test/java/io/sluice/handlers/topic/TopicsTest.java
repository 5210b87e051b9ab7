package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.websocket.RecordedSocket;
import io.sluice.offload.ClientNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topics of one gateway. The leak check covers messages that they must release. */
@Timeout(30)
class TopicsTest {
    private final TopicRoom room = new TopicRoom(3, 0);

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void aMessageGoesToAllSubscribersOfItsTopicAndIsEncodedOnceByALoop() {
        List<RecordedSocket> sockets = join("news", 300);
        RecordedSocket other = room.join("sport", 0);
        int encodings = RecordedSocket.ENCODINGS.get();

        assertThat(room.publish("news", "a")).isEqualTo(300);
        room.settle();

        assertThat(sockets).allSatisfy(socket -> assertThat(socket.received).containsExactly("a"));
        assertThat(other.received).isEmpty();
        assertThat(RecordedSocket.ENCODINGS.get() - encodings).isBetween(1, room.loops.size());
    }

    @Test
    void formerSubscribersGetNoMessages() {
        RecordedSocket stays = room.join("news", 0);
        RecordedSocket leaves = room.join("news", 0);
        room.leave(leaves);

        assertThat(room.publish("news", "a")).isEqualTo(1);
        room.settle();

        assertThat(stays.received).containsExactly("a");
        assertThat(leaves.received).isEmpty();
    }

    @Test
    void aTopicWithoutSubscribersTakesNoMemory() {
        SharedMessage message = TopicRoom.message("a");
        assertThat(room.topics.publish("news", message, null, null, ImmediateEventExecutor.INSTANCE).getNow())
                .isEqualTo(new Published(0, null));
        assertThat(message.refCnt()).isEqualTo(1);
        message.release();

        RecordedSocket socket = room.join("news", 0);
        room.assertHeld(1, 1);
        room.leave(socket);
        room.assertHeld(0, 0);
    }

    @Test
    void messagesWithoutSubscribersAreReleased() {
        List<RecordedSocket> sockets = join("news", 3 * 100);
        var messages = new ArrayList<SharedMessage>();
        List<CountDownLatch> blocks = room.loops.stream().map(TopicRoom::block).toList();
        for (RecordedSocket socket : sockets) {
            // The first socket that gets the first message closes all sockets of its loop.
            socket.onReceive = () -> sockets.stream().filter(s -> s.eventLoop() == socket.eventLoop())
                    .forEach(s -> room.listener(s).closed(s));
        }
        for (int i = 0; i < 3; i++) {
            messages.add(TopicRoom.message("m" + i));
            room.topics.publish("news", messages.get(i), null, null, ImmediateEventExecutor.INSTANCE);
        }
        blocks.forEach(CountDownLatch::countDown);
        room.settle();

        assertThat(sockets.stream().filter(socket -> !socket.received.isEmpty())).hasSize(3);
        room.assertHeld(0, 0);
        assertThat(messages).allSatisfy(message -> assertThat(message.refCnt()).isEqualTo(1));
        messages.forEach(SharedMessage::release);
    }

    @Test
    void aLoopServesOthersBetweenTwoSlices() {
        List<RecordedSocket> sockets = IntStream.range(0, 200).mapToObj(_ -> room.join("news", 0)).toList();
        var servedBefore = new ArrayList<Long>();
        sockets.forEach(socket -> socket.onReceive = TopicsTest::work);
        sockets.getLast().onReceive = () -> room.loop(0).execute(
                () -> servedBefore.add(sockets.stream().filter(s -> !s.received.isEmpty()).count()));

        room.publish("news", "a");
        room.settle();

        assertThat(servedBefore).singleElement().satisfies(TopicsTest::fitsIntoASlice);
    }

    /** Takes a fifth of a slice. */
    private static void work() {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < TimeUnit.MICROSECONDS.toNanos(100)) {
            Thread.onSpinWait();
        }
    }

    private static void fitsIntoASlice(long sends) {
        assertThat(sends).isBetween(1L, 6L);
    }

    @Test
    void whatWaitedForASlowClientIsSentInSlices() {
        RecordedSocket slow = room.join("news", 0);
        TopicRoom.on(room.loop(0), () -> slow.writable = false);
        IntStream.range(0, 100).forEach(i -> room.publish("news", "m" + i));
        room.settle();
        slow.onReceive = TopicsTest::work;
        var sentBefore = new ArrayList<Long>();
        TopicRoom.on(room.loop(0), () -> {
            slow.writable = true;
            slow.writableFor = 1000;
            room.listener(slow).writable(slow);
            countAtEachTurn(slow, sentBefore);
        });
        TopicRoom.await(() -> TopicRoom.on(room.loop(0), () -> slow.received.size()) == 100);

        assertThat(slow.received).startsWith("m0").endsWith("m99").doesNotHaveDuplicates();
        assertThat(sentBefore.getFirst()).isZero();
        for (int i = 1; i < sentBefore.size(); i++) {
            assertThat(sentBefore.get(i) - sentBefore.get(i - 1)).isLessThanOrEqualTo(6);
        }
    }

    private static void countAtEachTurn(RecordedSocket slow, List<Long> counts) {
        counts.add((long) slow.received.size());
        if (slow.received.size() < 100) {
            slow.eventLoop().schedule(() -> countAtEachTurn(slow, counts), 0, TimeUnit.NANOSECONDS);
        }
    }

    @Test
    void aSmallTopicDoesNotWaitForALargeOne() {
        List<RecordedSocket> large = IntStream.range(0, 100).mapToObj(_ -> room.join("large", 0)).toList();
        large.forEach(socket -> socket.onReceive = TopicsTest::work);
        RecordedSocket small = room.join("small", 0);
        var served = new ArrayList<Long>();
        small.onReceive = () -> served.add(large.stream().filter(s -> !s.received.isEmpty()).count());
        CountDownLatch block = TopicRoom.block(room.loop(0));
        room.publish("large", "a");
        room.publish("large", "b");
        room.publish("small", "c");
        block.countDown();
        room.settle();

        assertThat(served).singleElement().satisfies(TopicsTest::fitsIntoASlice);
    }

    @Test
    void aSocketThatFailsIsClosedAndTheOthersGetTheMessage() {
        List<RecordedSocket> sockets = IntStream.range(0, 10).mapToObj(_ -> room.join("news", 0)).toList();
        RecordedSocket broken = sockets.get(5);
        broken.onReceive = () -> {
            throw new IllegalStateException("thrown by a test");
        };

        room.publish("news", "a");
        room.publish("news", "b");
        room.settle();

        assertThat(broken.closedWith.code()).isEqualTo(1011);
        assertThat(broken.received).containsExactly("a");
        assertThat(sockets).filteredOn(socket -> socket != broken)
                .allSatisfy(socket -> assertThat(socket.received).containsExactly("a", "b"));
    }

    @Test
    void moreThanALoopCanSendIsRefused() {
        IntStream.range(0, 1024).forEach(_ -> room.join("news", 0));
        RecordedSocket other = room.join("sport", 1);
        CountDownLatch block = TopicRoom.block(room.loop(0));

        assertThat(publishUntilRefused("news", "a")).isEqualTo(129);
        assertThat(room.publish("sport", "others do not suffer")).isEqualTo(1);
        block.countDown();
        room.settle();

        assertThat(room.publish("news", "a")).isEqualTo(1024);
        assertThat(other.received).hasSize(1);
    }

    @Test
    void moreThanMemoryShouldHoldIsRefused() {
        RecordedSocket socket = room.join("news", 0);
        CountDownLatch block = TopicRoom.block(room.loop(0));

        assertThat(publishUntilRefused("news", "x".repeat(4 << 20))).isEqualTo(16);
        assertThat(room.topics.stats().bytesUnderWay()).isEqualTo(16 * ((4 << 20) + 256));
        block.countDown();
        room.settle();

        assertThat(room.publish("news", "y")).isEqualTo(1);
        room.settle();
        assertThat(socket.received).hasSize(17);
    }

    @Test
    void oneClientLeavesHalfOfThatMemoryToOthers() {
        room.join("news", 0);
        room.join("sport", 1);
        CountDownLatch block = TopicRoom.block(room.loop(0));
        SharedMessage large = TopicRoom.message("x".repeat(4 << 20));
        ThrowingCallable publish = () -> room.topics.publish("news", large, null, new ClientNetwork(1, false),
                ImmediateEventExecutor.INSTANCE);
        IntStream.range(0, 8).forEach(_ -> assertThatCode(publish).doesNotThrowAnyException());

        assertThatThrownBy(publish).hasMessageContaining("fewer or smaller");
        room.topics.publish("sport", large, null, new ClientNetwork(2, false), room.loop(1));
        block.countDown();
        room.settle();
        assertThatCode(publish).doesNotThrowAnyException();
        large.release();
    }

    @Test
    void aSocketThatPublishesTooFastHasToWait() {
        RecordedSocket publisher = room.join("news", 0);
        IntStream.range(0, 1024).forEach(_ -> room.join("news", 1));
        CountDownLatch block = TopicRoom.block(room.loop(1));

        IntStream.range(0, 129).forEach(_ -> room.text(publisher, "m"));
        assertThat(publisher.calls).isEmpty();
        room.text(publisher, "m");
        assertThat(publisher.calls).containsExactly("pause");
        block.countDown();
        room.settle();

        assertThat(publisher.calls).containsExactly("pause", "resume");
        assertThat(publisher.received).hasSize(130);
    }

    @Test
    void aSocketThatHasLeftIsNotResumed() {
        RecordedSocket publisher = room.join("news", 0);
        IntStream.range(0, 1024).forEach(_ -> room.join("news", 1));
        CountDownLatch block = TopicRoom.block(room.loop(1));
        IntStream.range(0, 130).forEach(_ -> room.text(publisher, "m"));
        room.leave(publisher);
        block.countDown();
        room.settle();

        assertThat(publisher.calls).containsExactly("pause");
    }

    @Test
    void aLoopThatHasEndedCostsNothing() {
        var ended = new DefaultEventExecutor();
        var socket = new RecordedSocket(ended);
        WebSocketListener listener = room.join("news", socket, TopicRoom.ANY);
        RecordedSocket other = room.join("news", 0);
        ended.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();

        room.publish("news", "a");
        room.settle();

        assertThat(other.received).containsExactly("a");
        assertThat(room.topics.stats().bytesUnderWay()).isZero();
        listener.closed(socket);
    }

    private int publishUntilRefused(String topic, String text) {
        for (int published = 0; ; published++) {
            try {
                room.publish(topic, text);
            } catch (HttpException e) {
                assertThat(e.status().code()).isEqualTo(503);
                assertThat(e.worthRetrying()).isTrue();
                return published;
            }
        }
    }

    private List<RecordedSocket> join(String topic, int count) {
        return IntStream.range(0, count).mapToObj(i -> room.join(topic, i)).toList();
    }
}
