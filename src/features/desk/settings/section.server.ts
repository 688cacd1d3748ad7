import type { PlainDate } from '~/base/dates/dates.ts';
import { numberFormat } from '~/base/intl.ts';
import { intlLocale, type Language } from '~/base/languages.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import {
  valuesInForce,
  type SettingsChange,
  type SettingsSection,
  type Settings,
} from '~/features/settings/change.ts';
import type { ConsistencyCheck } from '~/features/settings/decide.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { NoticeTone } from '~/ui/notice.tsx';
import type { FieldWidth } from '~/ui/fields/field.tsx';

/** A form's values, by control. */
export type TypedSettings = Readonly<Record<string, string>>;

type SettingsError = CodeIn<'settings', 'error'>;

/** What is wrong with a control (`form`: with the whole decision); texts are `settings:error.<code>`. */
export type SettingsProblem = {
  field: string;
  code: SettingsError;
  /** Parameters of the text; numbers are written in the reader's language. */
  values?: Readonly<Record<string, string | number>>;
};

export type SettingValues = Readonly<Record<string, unknown>>;

/** What changes, by subject; empty where nothing does. */
export type ReadSection = { values: SettingValues; problems: readonly SettingsProblem[] };

/** One line of a change in words; null where there was or will be no value. */
export type ChangeRow = { label: string; before: string | null; after: string | null };

/** A control of a form, in the reader's language. A date's value is YYYY-MM-DD, and `min` the first that can be chosen. */
export type Control = { name: string; label: string; value: string; hint?: string } & (
  | {
      kind: 'text';
      maxLength?: number;
      width?: FieldWidth;
      latin?: boolean;
      type?: 'text' | 'url';
      inputMode?: 'decimal' | 'numeric';
    }
  | { kind: 'area'; maxLength?: number; rows?: number; language?: Language; original?: string }
  | { kind: 'date'; min?: PlainDate }
  | {
      kind: 'select' | 'radio';
      options: readonly { value: string; label: string }[];
      emptyLabel?: string;
      width?: FieldWidth;
    }
);

/** Controls below a heading of their own; those of one row stand side by side where there is room. */
export type ControlGroup = { title?: string; rows: readonly (readonly Control[])[] };

export type PageLink = { to: string; label: string; isCurrent?: boolean };

/** Something that a page says above or below its form. */
export type SectionPart = {
  heading?: string;
  notice?: { tone: NoticeTone; title?: string; text?: string };
  texts?: readonly string[];
  /** Entries with a title, which leads to `to`, lines and a link. */
  items?: readonly { title?: string; to?: string; lines?: readonly string[]; link?: PageLink }[];
  links?: readonly PageLink[];
  button?: PageLink;
};

/** The form of a page, for a moment. */
export type SectionForm = {
  /** What the form is about; one about something else begins with its own values. */
  about?: string;
  /** By default "Make a change". */
  title?: string;
  texts?: readonly string[];
  link?: PageLink;
  /** Sent along with what is typed. */
  hidden?: TypedSettings;
  /** Sends what each control showed, too: what was left alone is not part of the decision. */
  sendsShown?: boolean;
  groups: readonly ControlGroup[];
};

type SectionView = {
  above?: readonly SectionPart[];
  form: SectionForm;
  below?: readonly SectionPart[];
};

/** A section as somebody opens it: what its page says in their language, and what may be decided. */
export type OpenSection = {
  title: string;
  lead: string;
  up?: PageLink;
  view: (
    settings: Settings,
    now: Date,
    search: URLSearchParams,
  ) => SectionView | Promise<SectionView>;
  /** `at`: when the decision would take effect, for the values in force then. */
  read: (typed: TypedSettings, settings: Settings, at: Date) => ReadSection;
  rows: (values: SettingValues, settings: Settings, at: Date) => readonly ChangeRow[];
  /** A decision as the history says it. */
  lines: (change: SettingsChange, settings: Settings) => readonly string[];
  /** The decisions that belong to this page; by default all of the section. */
  isShown?: (change: SettingsChange) => boolean;
  /** The value that a subject had before the first decision, where the history begins with that. */
  beginning?: { subject: string; line: string };
  /** Notes to show before a change is saved. */
  notes?: (values: SettingValues) => Promise<readonly string[]> | readonly string[];
  /** Decisions take effect at once; the form does not ask when. */
  isAtOnce?: true;
  /** Whether the section's values are consistent; by default always. */
  fits?: ConsistencyCheck;
  /** The earliest moment at which these values may take effect; by default now. */
  earliest?: (values: SettingValues, settings: Settings, now: Date) => Date;
};

export type OpeningSection = {
  platform: Platform;
  language: Language;
  params: Readonly<Record<string, string | undefined>>;
};

export const MAX_SETTING_REASON_LENGTH = 500;
/** Characters of a one-line text. */
export const MAX_LINE_LENGTH = 300;

export const lineTooLong = (field: string): SettingsProblem => ({
  field,
  code: 'operator_long',
  values: { limit: MAX_LINE_LENGTH },
});

/** A problem in the reader's language. */
export function problemText({ code, values = {} }: SettingsProblem, language: Language): string {
  const written = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' ? numberFormat(intlLocale(language)).format(value) : value,
  ]);
  return makeTranslate(language, 'settings')(`error.${code}`, Object.fromEntries(written));
}

/** A text with the lines of one system, without the spaces around it; '' where it was not sent. */
export const readSettingText = (typed: TypedSettings, name: string): string =>
  (typed[name] ?? '').replaceAll('\r\n', '\n').trim();

/** The control that carries what another one showed. */
const shownName = (name: string): string => `was-${name}`;

export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && new URL(text).protocol === 'https:';

/** A setting with a control and a subject of its own. */
export type Setting = {
  /** In previews, and in the history unless that has its own name. */
  name: string;
  subject: string;
  control: (settings: Settings, now: Date) => Control;
  read: (typed: TypedSettings, settings: Settings, at: Date) => ReadSection;
  /** Null for an empty value. */
  words: (stored: unknown) => string | null;
  wordsAt: (settings: Settings, at: Date) => string | null;
  historyName?: string;
};

/** What is known of a setting's value. */
type SettingFacts<Value> = {
  name: string;
  subject: string;
  historyName?: string;
  control: Control extends infer One ? (One extends Control ? Omit<One, 'value'> : never) : never;
  /** The value in force at a moment. */
  at: (settings: Settings, moment: Date) => Value;
  /** A value as a decision holds it. */
  stored: (value: unknown) => Value;
  /** What was typed; a code where it is no value. */
  read: (text: string) => { value: Value } | Omit<SettingsProblem, 'field'>;
  /** As the control holds it. */
  write: (value: Value) => string;
  words?: (value: Value) => string;
};

/** Two values that are written alike are the same. */
export function makeSetting<Value>({
  name,
  subject,
  control,
  at,
  stored,
  read,
  write,
  words = write,
  historyName,
}: SettingFacts<Value>): Setting {
  const inWords = (value: Value) => words(value) || null;
  return {
    name,
    subject,
    historyName,
    control: (settings, now) => ({ ...control, value: write(at(settings, now)) }),
    read(typed, settings, moment) {
      const text = typed[control.name]?.trim();
      const shown = typed[shownName(control.name)];
      const nothing = { values: {}, problems: [] };
      // What was left alone is not checked: placeholders of the configuration stand here, too.
      if (text === undefined || text === shown) return nothing;
      const found = read(text);
      if (!('value' in found)) {
        return { values: {}, problems: [{ field: control.name, ...found }] };
      }
      const written = write(found.value);
      if (written === shown || written === write(at(settings, moment))) return nothing;
      return { values: { [subject]: found.value }, problems: [] };
    },
    words: (value) => inWords(stored(value)),
    wordsAt: (settings, moment) => inWords(at(settings, moment)),
  };
}

/** A setting that is a whole number within `bounds`; `problem`: of what is none. */
export function makeNumberSetting({
  label,
  hint,
  bounds: { least, most },
  problem,
  ...facts
}: Pick<SettingFacts<number>, 'name' | 'subject' | 'at' | 'words'> & {
  label: string;
  hint: string;
  bounds: { least: number; most: number };
  problem: SettingsError;
}): Setting {
  const control = { kind: 'text', name: facts.subject, label, hint, width: 'short' } as const;
  return makeSetting<number>({
    ...facts,
    control: { ...control, inputMode: 'numeric', maxLength: String(most).length },
    stored: Number,
    read(text) {
      const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
      const isWithin = value >= least && value <= most;
      return isWithin ? { value } : { code: problem, values: { least, most } };
    },
    write: String,
  });
}

/** Settings below a heading of their own; those of one row stand side by side. */
type SettingsGroup = { title?: string; rows: readonly (readonly Setting[])[] };

/**
 * A section whose form has a control for each of its settings. `check`: what is wrong with all values together.
 */
export function decideEach(
  section: SettingsSection,
  language: Language,
  groups: readonly SettingsGroup[],
  check: (values: SettingValues) => readonly SettingsProblem[] = () => [],
) {
  const nothing = makeTranslate(language, 'settings')('confirm.nothing');
  const settings = groups.flatMap(({ rows }) => rows.flat());
  return {
    view: (decided, now): SectionView => ({
      form: {
        sendsShown: true,
        groups: groups.map(({ title, rows }) => ({
          title,
          rows: rows.map((row) => row.map((one) => one.control(decided, now))),
        })),
      },
    }),
    read(typed, decided, at) {
      const read = settings.map((one) => one.read(typed, decided, at));
      const values: SettingValues = Object.assign({}, ...read.map((one) => one.values));
      const problems = read.flatMap((one) => one.problems);
      if (problems.length > 0) return { values, problems };
      return { values, problems: check({ ...valuesInForce(decided, section, at), ...values }) };
    },
    rows: (values, decided, at) =>
      settings.flatMap(({ subject, name, words, wordsAt }) =>
        subject in values
          ? [{ label: name, before: wordsAt(decided, at), after: words(values[subject]) }]
          : [],
      ),
    lines: ({ values }) =>
      settings.flatMap(({ subject, name, historyName = name, words }) =>
        subject in values ? [`${historyName}: ${words(values[subject]) ?? nothing}`] : [],
      ),
    fits: (values) => check(values).length === 0,
  } satisfies Partial<OpenSection>;
}
