/** The query of a step that was opened from the review page to change one answer: its Next leads back there. */
export const BACK_TO_REVIEW = 'then=review';

export const leadsToReview = (query: URLSearchParams): boolean => query.get('then') === 'review';
