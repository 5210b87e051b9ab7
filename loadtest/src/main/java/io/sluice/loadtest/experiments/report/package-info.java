/** The report of experiments: medians, Markdown, plots as SVG, and a description of the machine. */
package io.sluice.loadtest.experiments.report;
