package io.sluice.gateway.http1;

import java.util.ArrayList;
import java.util.List;

/** The answers that a client received, parsed. Answers to HEAD are not supported. */
record SentResponses(List<Sent> answers, String rest) {

    /** An answer without its date and request id, which differ each time. */
    record Sent(int status, boolean last, String body) {
    }

    static SentResponses of(String latin1) {
        var answers = new ArrayList<Sent>();
        String rest = latin1;
        while (rest.startsWith("HTTP/1.1 ") && rest.contains("\r\n\r\n")) {
            int end = rest.indexOf("\r\n\r\n") + 2;
            String head = rest.substring(0, end);
            int length = Integer.parseInt(value(head, "content-length", "0"));
            String body = rest.substring(end + 2, Math.min(end + 2 + length, rest.length()));
            answers.add(new Sent(Integer.parseInt(head.substring(9, 12)),
                    value(head, "connection", "").equals("close"),
                    body.replaceAll("\"(requestId|instance)\":\"[^\"]*\"", "")));
            rest = rest.substring(end + 2 + body.length());
        }
        return new SentResponses(answers, rest);
    }

    private static String value(String head, String name, String otherwise) {
        return head.lines().filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2)).findFirst().orElse(otherwise);
    }

    List<Integer> statuses() {
        return answers.stream().map(Sent::status).toList();
    }

    List<String> bodies() {
        return answers.stream().map(Sent::body).toList();
    }
}
