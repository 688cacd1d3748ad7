import type { Section } from './change.ts';

/** What travellers pay is decided by two administrators: one proposes, another confirms. */
export const twoPeopleSections = [
  'visa_prices',
  'plan_prices',
] as const satisfies readonly Section[];

export const isTwoPeopleSection = (
  section: Section,
): section is (typeof twoPeopleSections)[number] =>
  twoPeopleSections.some((one) => one === section);

export const needsTwoPeople = (section: Section): boolean => isTwoPeopleSection(section);

/** `waiting` until another administrator confirms or declines, or its author withdraws it. */
export const proposalStates = ['waiting', 'confirmed', 'declined', 'withdrawn'] as const;
export type ProposalState = (typeof proposalStates)[number];
