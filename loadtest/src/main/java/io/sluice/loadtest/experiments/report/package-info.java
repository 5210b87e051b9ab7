/** How the experiments tell what they found: medians, Markdown, plots as SVG, and the machine. */
package io.sluice.loadtest.experiments.report;
