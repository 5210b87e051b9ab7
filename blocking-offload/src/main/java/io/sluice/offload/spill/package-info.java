/** Disk space for responses whose clients read slowly, and for bodies that are imported when whole. */
package io.sluice.offload.spill;
