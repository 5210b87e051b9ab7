package io.sluice.offload.process;

import static io.sluice.offload.process.ProgramTestBed.LONG;
import static io.sluice.offload.process.ProgramTestBed.eventually;
import static io.sluice.offload.process.ProgramTestBed.failure;
import static io.sluice.offload.process.ProgramTestBed.outlive;
import static io.sluice.offload.process.ProgramTestBed.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Future;
import io.sluice.config.ProgramConfig;
import io.sluice.config.ProgramConfig.Sandbox;
import io.sluice.config.type.ByteSize;
import io.sluice.offload.Deadline;
import io.sluice.offload.OffloadException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract of running programs, with a sandbox and without one. */
abstract class ProgramsContract {
    private static final String SLEEP = "import time\nprint('begins')\ntime.sleep(1000)";
    private static final String LOOP = "print('begins')\nwhile True: pass";

    private final Sandbox sandbox;
    private ProgramTestBed bed;

    ProgramsContract(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    @BeforeEach
    void start() {
        bed = ProgramTestBed.start(sandbox);
    }

    @AfterEach
    void close() {
        bed.close();
    }

    private void restart(ProgramConfig config) {
        bed.close();
        bed = new ProgramTestBed(config);
    }

    private void restart(Duration wallTime, Duration cpuTime) {
        restart(ProgramTestBed.config(sandbox, wallTime, cpuTime, 0));
    }

    @Test
    void readsItsInputAndWritesToBothItsOutputs() throws Exception {
        ProgramResult result = bed.run("""
                import sys
                name = input()
                print('hello', name, '\\u20ac')
                print(sys.stdin.read(), file=sys.stderr, end='')
                sys.exit(7)
                """, "wörld\nand\nmore");

        assertThat(result.stdout()).isEqualTo("hello wörld €\n");
        assertThat(result.stderr()).isEqualTo("and\nmore");
        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.timedOut()).isFalse();
        assertThat(result.truncated()).isFalse();
        assertThat(result.duration()).isGreaterThanOrEqualTo(Duration.ofMillis(1));
    }

    @Test
    void programRunsAsMainModuleWithoutGlobalsOfTheRunner() throws Exception {
        assertThat(bed.output("""
                import dataclasses, sys
                @dataclasses.dataclass
                class Move:
                    beats: 'Move' = None
                print(__name__, sys.argv, sorted(n for n in globals() if not n.startswith('__')), Move())
                """)).isEqualTo("__main__ ['program.py'] ['Move', 'dataclasses', 'sys'] Move(beats=None)");
    }

    @Test
    void unreadInputDoesNotBlock() throws Exception {
        assertThat(bed.run("print('done')", "x".repeat(5_000_000)).stdout()).isEqualTo("done\n");
    }

    @Test
    void largeInputComesWhole() throws Exception {
        assertThat(bed.run("import sys; print(len(sys.stdin.read()))", "x".repeat(5_000_000)).stdout())
                .isEqualTo("5000000\n");
    }

    @Test
    void largeCodeRuns() throws Exception {
        assertThat(bed.run("text = '" + "x".repeat(1_000_000) + "'\nprint(len(text))").stdout())
                .isEqualTo("1000000\n");
    }

    @Test
    void noCodeIsAProgramToo() throws Exception {
        assertThat(bed.run("")).extracting(ProgramResult::exitCode, ProgramResult::stdout,
                ProgramResult::stderr).containsExactly(0, "", "");
    }

    @Test
    void errorsShowTheProgramAndNothingElse() throws Exception {
        ProgramResult result = bed.run("def f():\n    return 1 / 0\nf()\n");

        assertThat(result.exitCode()).isOne();
        assertThat(result.stderr()).startsWith("Traceback").contains("line 2, in f", "return 1 / 0",
                "ZeroDivisionError").doesNotContain("bootstrap");
    }

    @Test
    void aSyntaxErrorIsAResult() throws Exception {
        ProgramResult result = bed.run("print('never')\nif :\n");

        assertThat(result.exitCode()).isOne();
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr()).contains("program.py", "line 2", "if :", "SyntaxError")
                .doesNotContain("bootstrap");
    }

    @Test
    void bytesThatAreNoTextAreReplaced() throws Exception {
        assertThat(bed.run("import os; os.write(1, b'a\\xff\\xfeb'); os.write(2, b'\\x80')"))
                .extracting(ProgramResult::stdout, ProgramResult::stderr)
                .containsExactly("a\uFFFD\uFFFDb", "\uFFFD");
    }

    @Test
    void largeOutputIsCutOffAndTheProgramGoesOn() throws Exception {
        ProgramResult result = bed.run("""
                import sys
                sys.stderr.write('e' * 100_000)
                sys.stdout.write('o' * 500_000)
                """);

        assertThat(result.truncated()).isTrue();
        assertThat(result.exitCode()).isZero();
        assertThat(result.stdout()).isEqualTo("o".repeat(1 << 16));
        assertThat(result.stderr()).isEqualTo("e".repeat(1 << 16));
    }

    @Test
    void outputThatFitsIsNotCutOff() throws Exception {
        ProgramResult result = bed.run("print('o' * 65535)");

        assertThat(result.stdout()).hasSize(1 << 16);
        assertThat(result.truncated()).isFalse();
    }

    @Test
    void endlessOutputIsCutOffSoon() throws Exception {
        ProgramResult result = bed.run("while True: print('x' * 1000)");

        assertThat(result.truncated()).isTrue();
        assertThat(result.timedOut()).isFalse();
        assertThat(result.exitCode()).isEqualTo(137);
        assertThat(result.stdout()).hasSize(1 << 16);
    }

    /** Output that nobody reads must not keep the first process, and so the worker, from ending. */
    @Test
    void aProgramThatIsKilledForItsOutputHasEndedAtOnce() {
        eventually(() -> assertThat(bed.run("import os\nwhile True: os.write(1, bytes(1000000))").duration())
                .isLessThan(Duration.ofSeconds(1)));
    }

    @Test
    void anEndlessLoopRunsOutOfCpuTime() throws Exception {
        restart(LONG, Duration.ofMillis(500)); // the limit is rounded up to one second

        ProgramResult result = bed.run(LOOP);

        assertThat(result).extracting(ProgramResult::exitCode, ProgramResult::timedOut, ProgramResult::stdout)
                .containsExactly(152, true, "begins\n");
    }

    @Test
    void anEndlessLoopRunsOutOfWallTime() throws Exception {
        restart(Duration.ofMillis(500), Duration.ofSeconds(20));

        ProgramResult result = bed.run(LOOP);

        assertThat(result).extracting(ProgramResult::exitCode, ProgramResult::timedOut)
                .containsExactly(137, true);
        assertThat(result.duration()).isGreaterThanOrEqualTo(Duration.ofMillis(500));
        bed.eventuallyNoProcesses();
    }

    @Test
    void sleepingProgramsAreKilledAndTheirOutputKept() throws Exception {
        assertThat(outlive(sandbox, SLEEP, "begins\n")).extracting(ProgramResult::exitCode,
                ProgramResult::timedOut, ProgramResult::stdout).containsExactly(137, true, "begins\n");
    }

    @Test
    void childrenAreKilledWithTheProgram() throws Exception {
        ProgramResult result = outlive(sandbox, """
                import os, signal
                for _ in range(2):
                    os.fork()
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                print('here')
                signal.pause()
                """, "here\n".repeat(4));

        assertThat(result.stdout()).isEqualTo("here\n".repeat(4));
    }

    /** Output may end with the byte that the first process writes at the end. */
    @Test
    void onlyTheEndOfItsTimeIsATimeout() throws Exception {
        assertThat(bed.run("import sys; print('\\x18', end=''); sys.exit(152)")).extracting(
                ProgramResult::exitCode, ProgramResult::timedOut, ProgramResult::stdout)
                .containsExactly(152, false, "\u0018");
        assertThat(bed.run("import os; os.kill(os.getpid(), 9)")).extracting(
                ProgramResult::exitCode, ProgramResult::timedOut).containsExactly(137, false);
    }

    @Test
    void aSignalThatEndsItIsItsExitCode() throws Exception {
        assertThat(bed.run("import os; os.kill(os.getpid(), 15)").exitCode()).isEqualTo(128 + 15);
    }

    @Test
    void tooMuchMemoryIsAnError() throws Exception {
        ProgramResult result = bed.run("text = bytearray(1 << 30)");

        assertThat(result.exitCode()).isOne();
        assertThat(result.stderr()).endsWith("MemoryError\n");
    }

    @Test
    void cancellingKillsItAndFreesItsWorker() throws Exception {
        Future<ProgramResult> future = bed.submit(SLEEP);
        eventually(() -> assertThat(bed.processes()).isNotEmpty());

        future.cancel(true);
        bed.eventuallyIdle();

        assertThat(failure(future)).isInstanceOf(CancellationException.class);
        bed.eventuallyNoProcesses();
    }

    @Test
    void theDeadlineKillsItAndFreesItsWorker() throws Exception {
        Future<ProgramResult> future = bed.submit(Deadline.after(Duration.ofMillis(500)), LOOP, new byte[0]);

        assertThat(failure(future)).isInstanceOf(OffloadException.DeadlineExceeded.class);
        bed.eventuallyIdle();
        bed.eventuallyNoProcesses();
    }

    @Test
    void anInterpreterThatIsNotThereIsAnError() throws Exception {
        // a value that no other test has
        var memory = new ByteSize((1 << 28) + ProcessHandle.current().pid());
        restart(new ProgramConfig("no-such-python", sandbox, LONG, LONG, memory, 16, new ByteSize(1 << 20),
                new ByteSize(1 << 16), 2));

        for (int i = 0; i < 5; i++) {
            assertThat(failure(bed.submit(""))).isInstanceOf(IOException.class)
                    .hasMessageContaining("no-such-python");
        }
        bed.eventuallyIdle();
    }

    @Test
    void programsRunSideBySide() throws Exception {
        // the sleep is in the program, not in the test
        String code = "import time; time.sleep(0.3); print('done')";
        Future<ProgramResult> one = bed.submit(code);
        Future<ProgramResult> other = bed.submit(code);

        assertThat(result(one).stdout()).isEqualTo("done\n");
        assertThat(result(other).stdout()).isEqualTo("done\n");
    }

    @Test
    void leavesNoDescriptorsAndNoThreads() throws Exception {
        bed.run("");
        long descriptors = descriptors();
        for (int i = 0; i < 10; i++) {
            bed.run(i % 2 == 0 ? "print('x')" : "1 / 0", "input");
        }

        eventually(() -> assertThat(descriptors()).isLessThanOrEqualTo(descriptors));
        assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
                .filteredOn(name -> name.startsWith("sluice-program")).hasSize(1);
    }

    private static long descriptors() {
        return new java.io.File("/proc/self/fd").list().length;
    }
}
