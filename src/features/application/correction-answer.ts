/** answered: by an earlier answer. over: the link, the request or the application is. */
export type CorrectionOver = 'answered' | 'over';

/** What the controls of a correction hold, by control name, valid or not. */
type Typed = Readonly<Record<string, string>>;

/** What became of a traveller's answer. typed: the page is only shown in another language. */
export type CorrectionAnswer<Problem> =
  | { kind: 'done' }
  | { kind: 'over'; why: CorrectionOver }
  | { kind: 'typed'; typed: Typed }
  | { kind: 'problems'; problems: Problem[]; typed: Typed };

/** The HTTP status that each is answered with. */
export const correctionStatus = { done: 200, over: 410, typed: 200, problems: 422 } as const;
