import type { CoverView } from '~/features/application/cover/cover-view.ts';
import type { CountryOption } from '~/features/catalog/picker/search.ts';
import type { LinkRefusal } from '~/features/form/draft/save-later.tsx';
import type { Money } from '~/base/money.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import type { Problem } from '../rules/check.ts';
import type { Plan } from '../rules/plans.ts';

/** What the form is shown from. */
export type FormView = {
  plans: readonly Plan[];
  countries: readonly CountryOption[];
  cover: CoverView;
  typed: Typed;
  photos: readonly KeptPhoto[];
  /** The dates that were just sent have changed the plan. */
  moved: PlanMove | null;
  /** What is wrong, where somebody has tried to go on with it. */
  problems: readonly Problem[];
  /** The unpaid application that was opened again; null for a new one. */
  changing: string | null;
  /** Of the draft; 0 is one that nobody has kept yet. */
  version: number;
  /** Names this opening of the page. */
  page: string;
  /** The server's clock, in milliseconds since 1970. */
  now: number;
};

/** The form has replaced one plan by another. */
export type PlanMove = { from: Plan; to: Plan };

export type KeptPhoto = {
  id: string;
  name: string;
  size: number;
  /** It belongs to the application that is changed, and stays with it. */
  isStored: boolean;
};

/** What the form gets back when it is not left. */
export type FormAnswer = {
  typed?: Typed;
  photos?: readonly KeptPhoto[];
  problems?: readonly Problem[];
  /** What another tab had here. */
  replaced?: Typed;
  /** Why no link was sent. */
  later?: LinkRefusal;
  /** The dates have changed the plan, which the page did not show yet. Nothing was stored. */
  planMoved?: PlanMove;
  /** The chosen plan costs something else than the page showed. Nothing was stored. */
  priceChange?: { before: Money; now: Money };
  /** Set in the browser: the request did not reach us. */
  offline?: true;
};
