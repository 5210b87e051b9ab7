package io.sluice.loadtest.experiments.hostile;

import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.site.TargetSite;
import io.sluice.loadtest.experiments.wire.Squad;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The attacks of one hostile client, and the neighbour that each one aims at. */
public enum Attack {
    /** A result that is larger than the heap. */
    WIDE_ROWS(Neighbour.ROW, () -> List.of(
            Squad.of(1, HttpAttackers.asking(TargetSite.WIDE)))),
    /** WebSocket RPC queries with half a million members. */
    WS_RPC_QUERY_BOMBS(Neighbour.HELLO, () -> List.of(
            Squad.of(2, SocketAttackers.queryBombs()))),
    /** 300 responses of 800 kB over one WebSocket. */
    WS_RPC_LARGE_ANSWERS(Neighbour.HELLO, () -> List.of(
            Squad.of(1, SocketAttackers.largeAnswers()))),
    /** Pings and pongs, 20,000 at a time. */
    WS_CONTROL_FRAMES(Neighbour.HELLO, () -> List.of(
            Squad.of(4, SocketAttackers.controlFrames()))),
    /** Messages in 10,000 fragments. */
    WS_FRAGMENTS(Neighbour.HELLO, () -> List.of(
            Squad.of(4, SocketAttackers.fragments()))),
    /** Messages that are a thousand times as large when they are inflated. */
    WS_INFLATING_MESSAGES(Neighbour.HELLO, () -> List.of(
            Squad.of(2, SocketAttackers.inflatingMessages()))),
    /** 100 streams, each with a worker and a database connection behind it. */
    WINDOW_0_ROWS(Neighbour.ROW, () -> List.of(
            Squad.of(1, Http2Attackers.windowZero(TargetSite.LONG)))),
    /** Clients of HTTP/1.1 that do not read rows, each with a worker and a connection behind it. */
    UNREAD_ROWS(Neighbour.ROW, () -> List.of(
            Squad.deaf(10, HttpAttackers.asksAndDoesNotRead(TargetSite.LONG)))),
    /** 4,000 streams of files, whose unread pieces would fill direct memory. */
    WINDOW_0_FILES(Neighbour.FILE, () -> List.of(
            Squad.of(40, Http2Attackers.windowZero(
                    TargetSite.file(TargetSite.FILE_SIZES.getLast()))))),
    /** Bodies of 100,000 members. */
    JSON_MEMBERS(Neighbour.HELLO, () -> List.of(
            Squad.of(2, HttpAttackers.manyMembers(TargetSite.ROWS + 1)))),
    /** A thousand requests in each write. */
    PIPELINING(Neighbour.HELLO, () -> List.of(
            Squad.of(4, HttpAttackers.pipelining(TargetSite.HELLO)))),
    /** The same on many connections: however many there are, a neighbour waits for one round of them. */
    PIPELINING_CONNECTIONS(Neighbour.HELLO, () -> List.of(
            Squad.of(200, HttpAttackers.pipelining(TargetSite.HELLO)))),
    /** Bodies in chunks of one byte. */
    SMALL_CHUNKS(Neighbour.HELLO, () -> List.of(
            Squad.of(4, HttpAttackers.smallChunks(TargetSite.ECHO)))),
    /** The same, and each chunk has an extension. */
    CHUNK_EXTENSIONS(Neighbour.HELLO, () -> List.of(
            Squad.of(4, HttpAttackers.chunkExtensions(TargetSite.ECHO)))),
    /** Bodies that inflate to 64 MiB. */
    COMPRESSED_BODIES(Neighbour.HELLO, () -> List.of(
            Squad.of(64, HttpAttackers.bombs(TargetSite.ECHO)))),
    /** Bodies of many rows that fill the disk space for them. */
    UNFINISHED_UPLOADS(Neighbour.ROW, () -> List.of(
            Squad.of(8, HttpAttackers.unfinishedUpload(TargetSite.IMPORT)))),
    /** Large messages and responses that have to be compressed, on all event loops. */
    COMPRESSION(Neighbour.HELLO, () -> List.of(
            Squad.of(64, SocketAttackers.subscriber()),
            Squad.of(2, HttpAttackers.largeMessages(TargetSite.PUBLISH)),
            Squad.of(4, HttpAttackers.asking(TargetSite.COMPRESSED, "Accept-Encoding: gzip\r\n")))),

    SLOW_HEADS(Neighbour.HELLO, () -> List.of(
            Squad.of(400, HttpAttackers.slowHead(TargetSite.HELLO)))),
    SLOW_BODIES(Neighbour.HELLO, () -> List.of(
            Squad.of(400, HttpAttackers.slowBody(TargetSite.ECHO)))),
    SLOW_READS(Neighbour.FILE, () -> List.of(
            Squad.deaf(200, HttpAttackers.slowRead(TargetSite.file(TargetSite.FILE_SIZES.getLast()))))),
    /** More connections than the gateway has descriptors. */
    MANY_CONNECTIONS(Neighbour.HELLO, () -> List.of(
            Squad.of(2_000, HttpAttackers.silence()))),
    KEY_UPDATES(Neighbour.HELLO, () -> List.of(
            Squad.of(16, TlsAttackers.keyUpdates()))),
    CLIENT_HELLO_IN_PIECES(Neighbour.HELLO, () -> List.of(
            Squad.of(64, TlsAttackers.helloInPieces()))),
    /** 10,000 streams, each with cookies of 28 kB in a few bytes. */
    REPEATED_COOKIES(Neighbour.HELLO, () -> List.of(
            Squad.of(100, Http2Attackers.repeatedCookies(TargetSite.HELLO)))),
    /** CVE-2023-44487. */
    RAPID_RESET(Neighbour.HELLO, () -> List.of(
            Squad.of(4, Http2Attackers.rapidReset(TargetSite.HELLO)))),
    /** CVE-2025-8671: requests for rows whose streams the gateway has to reset. */
    PROVOKED_RESETS(Neighbour.ROW, () -> List.of(
            Squad.of(4, Http2Attackers.provokedResets(TargetSite.ROWS + 1)))),
    CONTROL_FRAMES(Neighbour.HELLO, () -> List.of(
            Squad.of(4, Http2Attackers.controlFrames()))),
    CONTINUATIONS(Neighbour.HELLO, () -> List.of(
            Squad.of(4, Http2Attackers.continuations(TargetSite.HELLO))));

    private final Neighbour neighbour;
    private final Supplier<List<Squad>> squads;

    Attack(Neighbour neighbour, Supplier<List<Squad>> squads) {
        this.neighbour = neighbour;
        this.squads = squads;
    }

    Neighbour neighbour() {
        return neighbour;
    }

    /** The port of the gateway that it attacks. */
    public int port(ServerProcess gateway) {
        return this == KEY_UPDATES || this == CLIENT_HELLO_IN_PIECES ? gateway.port() : gateway.plainPort();
    }

    /** The clients of the attack. */
    public List<Squad> squads() {
        return squads.get();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
