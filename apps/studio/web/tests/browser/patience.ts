/**
 * How long tests wait for something before it counts as broken: for a machine that has far more to do than these tests.
 * Nothing takes that long where all is well, and no test says another time of its own.
 */
export const patience = 120_000;
