/** What a person asks for (GDPR art. 15 to 17; Law No. 6698, art. 11). */
export const caseKinds = ['access', 'correction', 'erasure'] as const;

/** The law that the person relies on. */
export const laws = ['kvkk', 'gdpr'] as const;
export type Law = (typeof laws)[number];

/** How a request arrived. */
export const arrivals = ['email', 'post', 'in_person', 'registered_email'] as const;
export type Arrival = (typeof arrivals)[number];

/**
 * How staff made sure who asks. `email_reply`: answered from the address that we have; `birth_date`: named the
 * application number and the date of birth; `passport_copy`: showed a passport, of which no copy is kept; `in_person`.
 */
export const identityChecks = ['email_reply', 'birth_date', 'passport_copy', 'in_person'] as const;

export const outcomes = ['granted', 'partly', 'refused', 'withdrawn'] as const;

/** What a person gave to be found by, as it was typed; at least one. */
export type Given = { number: string; email: string; passport: string };
