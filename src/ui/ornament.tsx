/** Eightfold star line, at most once or twice a page. */
export function StarLine() {
  return <div aria-hidden="true" className="star-line" />;
}

/** Girih line pattern that fades out towards the text; stands in a corner of a positioned ink panel. */
export function GirihPattern() {
  return <div aria-hidden="true" className="girih" />;
}
