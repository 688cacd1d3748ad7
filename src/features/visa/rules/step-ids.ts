export const stepIds = [
  'nationality',
  'supporting_document',
  'what_it_allows',
  'arrival',
  'prerequisites',
  'details',
  'review',
] as const;

export type StepId = (typeof stepIds)[number];
