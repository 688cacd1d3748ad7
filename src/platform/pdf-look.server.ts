/** The site's colours, for documents. */
export const colour = {
  ink: '#0B2A3C',
  ink2: '#41586A',
  line: '#E4DACA',
  perforation: '#C9A98C',
  tulip: '#C9493B',
  brass: '#B8893B',
  travertine: '#FBF8F2',
  red: '#8C1D18',
  redGround: '#FBE3E0',
};

/** The measures of the drawing are pixels at 96 to the inch; a point is four thirds of one. */
export const px = (pixels: number): number => pixels * 0.75;
