package io.sluice.gateway.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sluice.gateway.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A stream of HTTP/2 in the form of a socket, for clients that speak HTTP/1.1. The head of an upgrade request
 * opens the stream as an extended CONNECT (RFC 8441), and the answer is returned as a head. The end of the
 * output is END_STREAM, a reset is RST_STREAM, and unread bytes occupy the server's window.
 */
public final class StreamSocket extends Socket {
    private static final int STREAM = 1;
    private static final int MAX_FRAME = 16_384;
    private static final int SETTINGS_ENABLE_CONNECT_PROTOCOL = 8;
    private static final int SETTINGS_INITIAL_WINDOW_SIZE = 4;
    /** Headers of the HTTP/1.1 handshake that extended CONNECT does not have. */
    private static final Set<String> NOT_SENT = Set.of("host", "connection", "sec-websocket-key");

    private final RawClient tcp;
    private final FrameClient frames;
    private final int window;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private final ArrayDeque<ByteBuffer> arrived = new ArrayDeque<>();
    private int available;
    private int taken;
    private boolean opened;
    private boolean inputEnded;
    private boolean outputEnded;
    private boolean abortive;
    private boolean connectEnabled;
    private IOException broken;
    private long sendWindow = 65_535;
    private long connectionWindow = 65_535;
    private int timeoutMillis = 60_000;

    private StreamSocket(int port, int window) throws IOException {
        this.window = window;
        tcp = new RawClient(port);
        frames = FrameClient.open(tcp);
        tcp.send(FrameClient.PREFACE);
        frames.send(Frame.settings(SETTINGS_INITIAL_WINDOW_SIZE, window), Frame.windowUpdate(0, 1 << 30));
        Thread.ofPlatform().daemon().start(this::readFrames);
    }

    /**
     * Connects to a port of this machine.
     *
     * @param window the number of bytes that the server may send before the client reads them
     */
    public static StreamSocket connect(int port, int window) throws IOException {
        return new StreamSocket(port, window);
    }

    private void readFrames() {
        try {
            while (true) {
                take(frames.read());
            }
        } catch (IOException | UncheckedIOException e) {
            ended(new SocketException("the connection has ended: " + e));
        }
    }

    private synchronized void ended(IOException reason) {
        broken = reason;
        notifyAll();
    }

    private synchronized void take(Frame frame) throws IOException {
        switch (frame.type()) {
            case Frame.SETTINGS -> settings(frame);
            case Frame.PING -> {
                if (!frame.has(Frame.ACK)) {
                    frames.send(new Frame(Frame.PING, Frame.ACK, 0, frame.payload()));
                }
            }
            case Frame.WINDOW_UPDATE -> {
                sendWindow += frame.stream() == 0 ? 0 : frame.number();
                connectionWindow += frame.stream() == 0 ? frame.number() : 0;
            }
            case Frame.HEADERS -> answer(frame);
            case Frame.DATA -> arrive(frame.payload(), frame.has(Frame.END_STREAM));
            case Frame.RST_STREAM -> {
                if (!inputEnded) {
                    broken = new SocketException("the stream was reset: " + frame.number());
                }
                outputEnded = true;
            }
            default -> { }
        }
        notifyAll();
    }

    private void settings(Frame frame) throws IOException {
        if (frame.has(Frame.ACK)) {
            return;
        }
        for (ByteBuffer all = ByteBuffer.wrap(frame.payload()); all.hasRemaining(); ) {
            int id = all.getShort();
            int value = all.getInt();
            if (id == SETTINGS_INITIAL_WINDOW_SIZE) {
                sendWindow += value - 65_535;
            }
            connectEnabled |= id == SETTINGS_ENABLE_CONNECT_PROTOCOL && value == 1;
        }
        frames.send(new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[0]));
    }

    private void answer(Frame frame) {
        var text = new StringBuilder();
        frames.headers(frame).forEach((name, value) -> {
            if (name.equals(":status")) {
                text.insert(0, "HTTP/2 " + value + " \r\n");
            } else {
                text.append(name).append(": ").append(value).append("\r\n");
            }
        });
        byte[] bytes = text.append("\r\n").toString().getBytes(ISO_8859_1);
        taken -= bytes.length; // heads take no window
        arrive(bytes, frame.has(Frame.END_STREAM));
    }

    private void arrive(byte[] bytes, boolean last) {
        if (bytes.length > 0) {
            arrived.add(ByteBuffer.wrap(bytes));
            available += bytes.length;
        }
        inputEnded |= last;
    }

    private synchronized int read(byte[] to, int from, int length) throws IOException {
        awaitThat(() -> !arrived.isEmpty() || inputEnded);
        ByteBuffer first = arrived.peek();
        if (first == null) {
            return -1;
        }
        int read = Math.min(length, first.remaining());
        first.get(to, from, read);
        if (!first.hasRemaining()) {
            arrived.remove();
        }
        available -= read;
        taken += read;
        if (taken >= window / 2 && !inputEnded && broken == null) {
            frames.send(Frame.windowUpdate(STREAM, taken));
            taken = 0;
        }
        return read;
    }

    private synchronized void write(byte[] from, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end && !opened) {
            head.write(from[at++]);
            openIfComplete();
        }
        while (at < end) {
            awaitThat(() -> outputEnded || sendWindow > 0 && connectionWindow > 0);
            if (outputEnded) {
                throw new SocketException("the output has ended");
            }
            int some = (int) Math.min(Math.min(end - at, MAX_FRAME), Math.min(sendWindow, connectionWindow));
            sendWindow -= some;
            connectionWindow -= some;
            byte[] payload = new byte[some];
            System.arraycopy(from, at, payload, 0, some);
            frames.send(new Frame(Frame.DATA, 0, STREAM, payload));
            at += some;
        }
    }

    private void openIfComplete() throws IOException {
        String text = head.toString(ISO_8859_1);
        if (!text.endsWith("\r\n\r\n")) {
            return;
        }
        opened = true;
        awaitThat(() -> connectEnabled);
        String[] lines = text.split("\r\n");
        var fields = new ArrayList<>(List.of(":method", "CONNECT", ":scheme", "http",
                ":path", lines[0].split(" ")[1], ":authority", "localhost"));
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            String name = lines[i].substring(0, colon).toLowerCase(Locale.ROOT);
            if (name.equals("upgrade")) {
                fields.addAll(0, List.of(":protocol", lines[i].substring(colon + 1).strip()));
            } else if (!NOT_SENT.contains(name)) {
                fields.addAll(List.of(name, lines[i].substring(colon + 1).strip()));
            }
        }
        frames.send(FrameClient.headers(STREAM, false, fields.toArray(String[]::new)));
    }

    private interface Condition {
        boolean holds();
    }

    /** Waits, holding the lock, for a condition; fails if the connection or the time ends before. */
    private void awaitThat(Condition condition) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        try {
            while (!condition.holds()) {
                if (broken != null) {
                    throw broken;
                }
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    throw new java.net.SocketTimeoutException("nothing comes");
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            throw new SocketException("interrupted");
        }
    }

    @Override
    public InputStream getInputStream() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] to, int from, int length) throws IOException {
                return length == 0 ? 0 : StreamSocket.this.read(to, from, length);
            }

            @Override
            public int available() {
                synchronized (StreamSocket.this) {
                    return available;
                }
            }
        };
    }

    @Override
    public OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                StreamSocket.this.write(from, offset, length);
            }
        };
    }

    @Override
    public void shutdownOutput() throws IOException {
        synchronized (this) {
            outputEnded = true;
        }
        frames.send(new Frame(Frame.DATA, Frame.END_STREAM, STREAM, new byte[0]));
    }

    @Override
    public void setSoTimeout(int millis) {
        timeoutMillis = millis;
    }

    /** Has a close reset the stream if the time is 0, as for TCP. */
    @Override
    public void setSoLinger(boolean on, int seconds) {
        abortive = on && seconds == 0;
    }

    @Override
    public void close() throws IOException {
        if (abortive) {
            abortive = false;
            frames.send(Frame.rst(STREAM, Frame.CANCEL));
        }
        tcp.close();
    }
}
