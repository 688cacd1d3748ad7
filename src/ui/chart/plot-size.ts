/** Height of every plot in px. Across it has no size of its own: places are percentages of whatever room there is. */
export const PLOT_HEIGHT = 200;
