package io.sluice.handlers.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.http.OffloadedBody;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.json.JsonMembers;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import io.sluice.offload.Work;
import io.sluice.offload.process.Program;
import io.sluice.offload.process.ProgramResult;
import io.sluice.offload.process.Programs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs programs of clients, one at a time for each socket: {@code {"input", "code"}} is answered with {@code
 * {"exitCode", "stdout", "stderr", "timedOut", "truncated", "durationMs"}}. Further messages of a client
 * wait. If it disconnects, its program is killed.
 */
public final class CodeHandler implements WebSocketHandler {
    private static final JsonMembers MEMBERS = new JsonMembers(Set.of("code", "input"));

    private final Supplier<Setup> setup;
    private final Problems problems;

    /**
     * The current configuration of a route.
     *
     * @param programs runs the programs
     * @param time the longest time for a program to wait and run
     */
    public record Setup(Programs programs, Duration time) {
    }

    /** Creates the messages for programs that could not be run. */
    @FunctionalInterface
    public interface Problems {

        /** Returns a problem as JSON; owned by the caller. */
        ByteBuf of(Throwable cause, WebSocket socket);
    }

    /**
     * Creates a handler for a route of kind {@code ws-code}.
     *
     * @param setup returns the current configuration, which may change while sockets are open
     */
    public CodeHandler(Supplier<Setup> setup, Problems problems) {
        this.setup = setup;
        this.problems = problems;
    }

    @Override
    public WebSocketListener accept(Exchange handshake) {
        return new Client();
    }

    private final class Client implements WebSocketListener {
        /** The running program; null if there is none. */
        private @Nullable Future<ByteBuf> running;

        @Override
        public void opened(WebSocket socket) {
            // waits for the client's first message
        }

        @Override
        public void text(WebSocket socket, ByteBuf message) {
            if (!socket.isWritable()) {
                refuse(socket, HttpException.tryAgain("there is no room for a result", null));
                return;
            }
            if (message.readableBytes() > JsonMembers.MAX_ON_LOOP) {
                var large = new OffloadedBody(message);
                run(socket, _ -> large.read(Client::program)).addListener(_ -> large.drop());
                return;
            }
            try {
                Program program = program(message);
                run(socket, _ -> program);
            } catch (HttpException e) {
                refuse(socket, e);
            }
        }

        private void refuse(WebSocket socket, HttpException reason) {
            socket.sendText(problems.of(reason, socket));
            pauseOrResume(socket);
        }

        private static Program program(ByteBuf message) {
            Map<String, String> members = MEMBERS.of(message);
            String code = members.get("code");
            if (code == null) {
                throw HttpException.badParameter("code", null, "a Python program");
            }
            return new Program(bytes(code), bytes(members.getOrDefault("input", "")));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        /** Resumes the socket if no program runs and the client reads its results; otherwise pauses it. */
        private void pauseOrResume(WebSocket socket) {
            if (running == null && socket.isWritable()) {
                socket.resume();
            } else {
                socket.pause();
            }
        }

        @Override
        public void writable(WebSocket socket) {
            pauseOrResume(socket);
        }

        private Future<?> run(WebSocket socket, Work<Program> program) {
            socket.pause();
            socket.beginRequest();
            Setup current = setup.get();
            ByteBufAllocator alloc = socket.alloc();
            Future<ByteBuf> result = current.programs.run(
                    ClientNetwork.of(socket.clientAddress().getAddress()),
                    Deadline.after(current.time, socket.eventLoop().ticker()), socket.eventLoop(), program,
                    ended -> answer(ended, alloc));
            running = result;
            result.addListener(done -> {
                running = null;
                try {
                    if (!done.isCancelled()) {
                        socket.sendText(done.isSuccess() ? result.getNow()
                                : problems.of(done.cause(), socket));
                    }
                } finally {
                    socket.endRequest();
                    pauseOrResume(socket);
                }
            });
            return result;
        }

        /** Escapes can make it several times the output. */
        private static ByteBuf answer(ProgramResult result, ByteBufAllocator alloc) {
            var answer = new LinkedHashMap<String, Object>();
            answer.put("exitCode", result.exitCode());
            answer.put("stdout", result.stdout());
            answer.put("stderr", result.stderr());
            answer.put("timedOut", result.timedOut());
            answer.put("truncated", result.truncated());
            answer.put("durationMs", result.duration().toMillis());
            ByteBuf bytes = alloc.buffer();
            try {
                Json.write(new ByteBufOutputStream(bytes), answer);
                return bytes;
            } catch (Throwable e) {
                bytes.release();
                throw e;
            }
        }

        @Override
        public void closed(WebSocket socket) {
            if (running != null) {
                running.cancel(false);
            }
        }
    }
}
