export const purposes = ['tourism', 'trade'] as const;
export type VisitPurpose = (typeof purposes)[number];
