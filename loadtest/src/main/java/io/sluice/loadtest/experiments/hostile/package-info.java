/** The experiment with hostile clients: each attack, and the neighbour beside it. */
package io.sluice.loadtest.experiments.hostile;
