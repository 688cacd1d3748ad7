/** The pages of the wizard, in their order. */
export type StepId =
  | 'nationality'
  | 'supporting_document'
  | 'what_it_allows'
  | 'arrival'
  | 'prerequisites'
  | 'details'
  | 'review';
