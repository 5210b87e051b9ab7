package io.sluice.handlers.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.http.Json;
import io.sluice.handlers.http.JsonMembers;
import io.sluice.handlers.http.OffloadedBody;
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

/**
 * Runs the programs that clients send, one at a time for each socket: {@code {"input", "code"}} becomes
 * {@code {"exitCode", "stdout", "stderr", "timedOut", "truncated", "durationMs"}}. A client that sends ahead
 * waits; one that goes away takes its program with it.
 */
public final class CodeHandler implements WebSocketHandler {
    private static final JsonMembers MEMBERS = new JsonMembers(Set.of("code", "input"));

    private final Supplier<Setup> setup;
    private final Problems problems;

    /**
     * What programs run with.
     *
     * @param time that a program may wait and run
     */
    public record Setup(Programs programs, Duration time) {
    }

    /** What a client is told where its program could not be run. */
    @FunctionalInterface
    public interface Problems {

        /** A problem in JSON, owned by the caller. */
        ByteBuf of(Throwable cause, WebSocket socket);
    }

    /**
     * For a route of kind {@code ws-code}.
     *
     * @param setup the current one, which may change while sockets are open
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
        /** Null between programs. */
        private Future<ProgramResult> running;

        @Override
        public void opened(WebSocket socket) {
            // It says what to run.
        }

        @Override
        public void text(WebSocket socket, ByteBuf message) {
            if (message.readableBytes() > JsonMembers.MOST_ON_LOOP) {
                var large = new OffloadedBody(message);
                run(socket, _ -> large.read(Client::program)).addListener(_ -> large.drop());
                return;
            }
            try {
                Program program = program(message);
                run(socket, _ -> program);
            } catch (HttpException e) {
                socket.sendText(problems.of(e, socket));
                waitOrGoOn(socket);
            }
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

        /** Takes the next program when none runs and the client reads its answers. */
        private void waitOrGoOn(WebSocket socket) {
            if (running == null && socket.isWritable()) {
                socket.resume();
            } else {
                socket.pause();
            }
        }

        @Override
        public void writable(WebSocket socket) {
            waitOrGoOn(socket);
        }

        private Future<?> run(WebSocket socket, Work<Program> program) {
            socket.pause();
            socket.beginRequest();
            Setup current = setup.get();
            Future<ProgramResult> result = current.programs.run(
                    ClientNetwork.of(socket.clientAddress().getAddress()),
                    Deadline.after(current.time, socket.eventLoop().ticker()), socket.eventLoop(), program);
            running = result;
            result.addListener(done -> {
                running = null;
                try {
                    if (!done.isCancelled()) {
                        socket.sendText(done.isSuccess() ? answer((ProgramResult) done.getNow())
                                : problems.of(done.cause(), socket));
                    }
                } finally {
                    socket.endRequest();
                    waitOrGoOn(socket);
                }
            });
            return result;
        }

        private static ByteBuf answer(ProgramResult result) {
            var answer = new LinkedHashMap<String, Object>();
            answer.put("exitCode", result.exitCode());
            answer.put("stdout", result.stdout());
            answer.put("stderr", result.stderr());
            answer.put("timedOut", result.timedOut());
            answer.put("truncated", result.truncated());
            answer.put("durationMs", result.duration().toMillis());
            return Unpooled.wrappedBuffer(Json.bytes(answer));
        }

        @Override
        public void closed(WebSocket socket) {
            if (running != null) {
                running.cancel(false);
            }
        }
    }
}
