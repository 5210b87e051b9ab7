/**
 * Runs untrusted programs of clients as child processes: one interpreter, in one sandbox, for each program.
 * Under all circumstances, its processes, threads, files and descriptors are released.
 */
package io.sluice.offload.process;
