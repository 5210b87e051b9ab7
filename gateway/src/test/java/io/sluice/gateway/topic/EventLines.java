package io.sluice.gateway.topic;

import io.sluice.gateway.RunningGateway;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** A response of server-sent events. */
public final class EventLines implements AutoCloseable {
    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;

    /** Opens it. */
    public EventLines(RunningGateway gateway, String target, String... headers) throws Exception {
        HttpRequest.Builder request = gateway.request(target).header("Accept", "text/event-stream");
        if (headers.length > 0) {
            request.headers(headers);
        }
        response = gateway.client().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    public int status() {
        return response.statusCode();
    }

    /** Returns the next line that begins so, without that; null at the end. */
    public String next(String begin) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.startsWith(begin)) {
            line = lines.readLine();
        }
        return line == null ? null : line.substring(begin.length());
    }

    @Override
    public void close() throws IOException {
        response.body().close();
    }
}
