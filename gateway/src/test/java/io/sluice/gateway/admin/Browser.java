package io.sluice.gateway.admin;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A headless Chromium with one page, controlled by its DevTools protocol. */
final class Browser implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium-headless-shell", "chromium",
            "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Process process;
    private final Path profile;
    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(100);
    private final WebSocket page;
    private int commands;

    /** Returns the path of an installed Chromium, if any. */
    static Optional<Path> installed() {
        return NAMES.stream().flatMap(name -> Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, name))).filter(Files::isExecutable).findFirst();
    }

    Browser(Path executable, String url) throws Exception {
        profile = Files.createTempDirectory("browser");
        process = new ProcessBuilder(executable.toString(), "--headless", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--remote-debugging-port=0", "--user-data-dir=" + profile, url)
                .redirectErrorStream(true).start();
        String devTools = process.inputReader().lines().filter(line -> line.contains("DevTools listening on"))
                .findFirst().orElseThrow(() -> new IllegalStateException("the browser ended at its start"));
        Thread.ofPlatform().daemon().start(() -> process.inputReader().lines().forEach(_ -> { }));
        int port = URI.create(devTools.substring(devTools.indexOf("ws://"))).getPort();
        page = client.newWebSocketBuilder().buildAsync(pageOf(port), new Answers())
                .get(30, TimeUnit.SECONDS);
    }

    private URI pageOf(int port) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list")).build();
        for (JsonNode target : JSON.readTree(
                client.send(request, HttpResponse.BodyHandlers.ofString()).body())) {
            if (target.get("type").stringValue().equals("page")) {
                return URI.create(target.get("webSocketDebuggerUrl").stringValue());
            }
        }
        throw new IllegalStateException("the browser has no page");
    }

    /** Returns the value of a JavaScript expression in the page, as text. */
    String evaluate(String expression) {
        int id = ++commands;
        page.sendText(JSON.writeValueAsString(Map.of("id", id, "method", "Runtime.evaluate",
                "params", Map.of("expression", "String(" + expression + ")", "awaitPromise", true))), true)
                .join();
        JsonNode answer;
        do {
            answer = JSON.readTree(next());
        } while (!answer.has("id") || answer.get("id").intValue() != id);
        return answer.get("result").get("result").get("value").asString();
    }

    private String next() {
        try {
            String next = answers.poll(30, TimeUnit.SECONDS);
            if (next == null) {
                throw new IllegalStateException("the browser does not answer");
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                answers.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        page.abort();
        client.close();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
    }
}
