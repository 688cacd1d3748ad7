import { partsOf, type PlainDate } from '~/base/dates/dates.ts';
import { todayOf, type Finding } from '~/features/form/answers/check.ts';
import { pathOf, type CheckContext } from './answers.ts';
import { isSoldOn, speedsFor, type Path } from './speeds.ts';
import { arrivalWindow, arrivalYears, speedFit, speedsInTime } from './ready-by.ts';
import { isAfter, type Rule } from './rule.ts';

export const arrivalRules: readonly Rule[] = [
  {
    field: 'arrivalDate',
    needs: ['arrivalDate'],
    find: ({ arrivalDate }, checkContext) =>
      isAfter(todayOf(checkContext), arrivalDate) ? 'past' : null,
  },
  {
    field: 'arrivalDate',
    needs: ['arrivalDate'],
    find: ({ arrivalDate }, { now }) => {
      const last = arrivalYears(now).at(-1);
      return arrivalDate && last && partsOf(arrivalDate).year > last ? 'too_far' : null;
    },
  },
  {
    field: 'arrivalDate',
    needs: ['arrivalDate', 'supportingDocumentEndDate'],
    find: ({ arrivalDate, supportingDocumentEndDate: end }) =>
      end && end !== 'unlimited' && isAfter(arrivalDate, end)
        ? { code: 'after_document', date: end }
        : null,
  },
  {
    field: 'arrivalDate',
    needs: ['arrivalDate', 'supportingDocumentStartDate'],
    find: ({ arrivalDate, supportingDocumentStartDate: start }) =>
      start && isAfter(start, arrivalDate) ? { code: 'before_document', date: start } : null,
  },
  {
    field: 'arrivalDate',
    needs: ['arrivalDate', 'countryId'],
    find: (values, checkContext) => {
      const { arrivalDate } = values;
      const path = pathOf(checkContext.country, values);
      return path && arrivalDate ? findArrivalOutside(path, arrivalDate, checkContext) : null;
    },
  },
  {
    field: 'processingType',
    needs: ['processingType', 'countryId'],
    find: (values, { country }) => {
      const { processingType } = values;
      const path = pathOf(country, values);
      return path && processingType && !isSoldOn(path, processingType) ? 'unknown' : null;
    },
  },
  {
    field: 'processingType',
    needs: ['processingType', 'arrivalDate', 'countryId'],
    find: (values, { country, now, office }) => {
      const { processingType, arrivalDate } = values;
      const path = pathOf(country, values);
      if (!path || !processingType || !arrivalDate) return null;
      const fit = speedFit(path, processingType, arrivalDate, now, office);
      return fit === 'in_time' ? null : fit;
    },
  },
];

/** Why no speed suits an arrival: it is too near for the fastest, or beyond the window of the slowest. */
function findArrivalOutside(
  path: Path,
  arrival: PlainDate,
  { now, office }: CheckContext,
): Finding {
  if (speedsInTime(path, arrival, now, office).length > 0) return null;
  const windows = speedsFor(path).map((speed) =>
    arrivalWindow(path, speed.processingType, now, office),
  );
  const [earliest] = windows.map((window) => window.earliest).sort();
  const latest = windows
    .map((window) => window.latest)
    .sort()
    .at(-1);
  if (earliest && arrival < earliest) return { code: 'too_soon', date: earliest };
  return latest ? { code: 'beyond_window', date: latest } : null;
}
