/** The measured quantities, and how they are printed. */
export const quantities = {
  web: { unit: 'ms web', digits: 2 },
  postgres: { unit: 'ms PostgreSQL', digits: 2 },
  statements: { unit: 'statements', digits: 0 },
  microseconds: { unit: 'µs', digits: 0 },
  script: { unit: 'KiB', digits: 1 },
  paint: { unit: 's', digits: 2 },
  memory: { unit: 'MB', digits: 0 },
  /** Of the mean memory in the last quarter over that in the second. */
  growth: { unit: '% growth', digits: 1 },
  /** Growth of the database's files, and write-ahead log sent to standbys. */
  stored: { unit: 'KiB stored', digits: 1 },
  wal: { unit: 'KiB of WAL', digits: 1 },
  /** From a key until what it opens is on the screen, in a browser; 95th percentile. */
  shown: { unit: 'ms until shown', digits: 0 },
  /** The bare server's cost over ours: more is better. */
  ofRaw: { unit: '% of raw', digits: 0, isMoreBetter: true },
  timesReact: { unit: '× bare React', digits: 1 },
} as const;

export type Quantity = keyof typeof quantities;
export type Figures = Partial<Record<Quantity, number>>;

export type LimitRow = {
  id: string;
  work: string;
  /** The bench fails where one of these is missed. */
  atLeast: Figures;
  aim: Figures;
};

const wizardPage = { atLeast: { web: 1 }, aim: { timesReact: 2.5 } } as const;
const file = { atLeast: { microseconds: 60 }, aim: { ofRaw: 75 } } as const;

/** All promised figures, in table order. */
export const rows = [
  {
    id: 'wizard',
    work: 'wizard without script, 10 requests, everything stored',
    atLeast: { web: 15, postgres: 6, statements: 24 },
    aim: { web: 4, postgres: 3 },
  },
  { id: 'first-page', work: '`GET /application`, with a draft', ...wizardPage },
  { id: 'arrival-page', work: '`GET /application/arrival`, with a draft', ...wizardPage },
  {
    id: 'apply',
    work: '`POST /api/applications`',
    atLeast: { web: 1, postgres: 1, statements: 4 },
    aim: { ofRaw: 25 },
  },
  {
    id: 'pay',
    work: '`POST /api/payment/create`, the card gateway outside',
    atLeast: { web: 1.5, statements: 5 },
    aim: {},
  },
  { id: 'content', work: 'content page, `GET /en/faq`', ...file },
  { id: 'asset', work: 'asset: its style sheet', ...file },
  {
    id: 'status',
    work: '`GET /status?ref=`',
    atLeast: { web: 1.2, postgres: 0.6, statements: 4 },
    aim: {},
  },
  {
    id: 'admin',
    work: '`GET /admin`, {rows} applications',
    atLeast: { web: 5, postgres: 8, statements: 10 },
    aim: {},
  },
  {
    id: 'decision',
    work: 'a decision by keyboard, until the next application is on the screen',
    atLeast: { shown: 300 },
    aim: {},
  },
  {
    id: 'script',
    work: 'script of the wizard’s first step, brotli',
    atLeast: { script: 90 },
    aim: { script: 76 },
  },
  {
    id: 'paint',
    work: 'largest paint of a content page, Lighthouse mobile',
    atLeast: { paint: 1.3 },
    aim: { paint: 1.1 },
  },
  {
    id: 'memory',
    work: 'memory after {journeys} journeys',
    atLeast: { memory: 300, growth: 5 },
    aim: {},
  },
  {
    id: 'jobs',
    work: 'what one wizard leaves to jobs: an e-mail',
    atLeast: {},
    aim: {},
  },
  {
    id: 'storage',
    work: 'one wizard in the database, its e-mail included',
    atLeast: {},
    aim: {},
  },
] as const satisfies readonly LimitRow[];

export type RowId = (typeof rows)[number]['id'];

const names: readonly Quantity[] = Object.keys(quantities).filter(
  (name): name is Quantity => name in quantities,
);

/** Limits that the figures miss; a figure that was not measured counts as missed. */
export function missedLimits(figures: Figures, limits: Figures): Quantity[] {
  return names.filter((name) => {
    const limit = limits[name];
    if (limit === undefined) return false;
    const figure = figures[name] ?? Number.NaN;
    return !('isMoreBetter' in quantities[name] ? figure >= limit : figure <= limit);
  });
}

/** Rounded as printed, so that the comparison uses what readers see. */
export const roundFigures = (figures: Figures): Figures =>
  Object.fromEntries(
    names.flatMap((name) => {
      const figure = figures[name];
      return figure === undefined ? [] : [[name, Number(figure.toFixed(quantities[name].digits))]];
    }),
  );

export const formatFigures = (figures: Figures): string =>
  names
    .flatMap((name) => {
      const figure = figures[name];
      const { unit } = quantities[name];
      return figure === undefined ? [] : `${figure} ${unit}`;
    })
    .join(', ') || '–';
