import { createContext, use, useState, type ReactNode, useEffect, useEffectEvent } from 'react';
import { Form, useNavigation } from 'react-router';
import type { Role } from '~/features/staff/roles.ts';
import { Button } from '~/ui/button.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { DoneMessage, type FormBlock } from '../frame/announcer.tsx';
import { type MentionablePerson, typedMention, type TypedMention } from './note.ts';
import type { OfferedTemplates } from '../settings/template-preview.tsx';
import {
  caseActionNames,
  fieldName,
  keyOf,
  refusedField,
  actionRules,
  type CaseAction,
  type CaseProblem,
  type DoneWord,
} from './case-actions.ts';
import type { CaseFile, FellowTravellers } from './open-case.server.ts';
import type { Holder } from './claim.server.ts';
import type { ApplicationDetail } from './detail.server.ts';
import { useErrorText } from './error-text.tsx';
import type { DocumentNumbers } from './store.server.ts';
import { useHasScripts } from '~/ui/scripts-input.tsx';

type Open = TypedMention<MentionablePerson> & { at: number };

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
/** These move the caret and type nothing. */
const MOVES = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

/**
 * Completes a colleague's name after an `@` in a note: as it is typed, or on the press of a button, which types the `@`.
 * The focus stays in the text, as in every combobox. Without scripts the name is typed, which the service reads alike.
 * `into`: the id of the text's control.
 */
export function MentionList({
  into,
  people,
}: {
  into: string;
  people: readonly MentionablePerson[];
}) {
  const { t } = useTranslation('for-you');
  const hasScripts = useHasScripts();
  const [open, setOpen] = useState<Open | null>(null);
  const list = `mention-${into}`;

  const look = useEffectEvent((area: HTMLTextAreaElement) => {
    const found =
      area.selectionStart === area.selectionEnd
        ? typedMention(area.value, area.selectionEnd, people)
        : null;
    setOpen(found && { ...found, at: 0 });
  });
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!open || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const step = STEPS[event.key];
    const count = open.people.length;
    if (step !== undefined) setOpen({ ...open, at: (open.at + step + count) % count });
    else if (event.key === 'Escape') setOpen(null);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) complete(open.at);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const area = areaOf(into);
    if (!area) return undefined;
    const looked = () => look(area);
    const pressed = (event: KeyboardEvent) => press(event);
    const moved = ({ key }: KeyboardEvent) => (MOVES.includes(key) ? look(area) : undefined);
    const left = () => setOpen(null);
    area.setAttribute('aria-autocomplete', 'list');
    area.addEventListener('input', looked);
    area.addEventListener('click', looked);
    area.addEventListener('keyup', moved);
    area.addEventListener('keydown', pressed);
    area.addEventListener('blur', left);
    return () => {
      area.removeEventListener('input', looked);
      area.removeEventListener('click', looked);
      area.removeEventListener('keyup', moved);
      area.removeEventListener('keydown', pressed);
      area.removeEventListener('blur', left);
    };
  }, [into]);
  // The text is drawn by a field that knows nothing of mentions.
  useEffect(() => {
    const area = areaOf(into);
    if (!area || !open) return undefined;
    area.setAttribute('aria-controls', list);
    area.setAttribute('aria-activedescendant', `${list}-${open.at}`);
    return () => {
      area.removeAttribute('aria-controls');
      area.removeAttribute('aria-activedescendant');
    };
  }, [into, list, open]);

  function complete(at: number) {
    const name = open?.people[at]?.name;
    const area = areaOf(into);
    if (!area || !open || name === undefined) return;
    type(area, `@${name} `, open.from);
  }

  function begin() {
    const area = areaOf(into);
    if (!area) return;
    area.focus();
    const { selectionStart, value } = area;
    // Apart from the word before it.
    const space = /\S$/.test(value.slice(0, selectionStart)) ? ' ' : '';
    type(area, `${space}@`, selectionStart);
  }

  if (!hasScripts || people.length === 0) return null;
  return (
    <div className="relative">
      <button className="link-button" onClick={begin} type="button">
        {t('mention.title')}
      </button>
      {open ? (
        <div
          aria-label={t('mention.title')}
          className="absolute inset-x-0 top-0 z-20 max-h-60 scroll-my-2 overflow-y-auto rounded-[12px] border border-line-2 bg-paper p-2 shadow-menu"
          id={list}
          // The focus stays in the text.
          onMouseDown={(event) => event.preventDefault()}
          ref={keepInView}
          role="listbox"
          tabIndex={-1}
        >
          {open.people.map(({ id, name }, index) => (
            <button
              aria-selected={index === open.at}
              className="menu-row aria-selected:bg-turquoise-pale aria-selected:font-semibold"
              id={`${list}-${index}`}
              key={id}
              onClick={() => complete(index)}
              ref={index === open.at ? keepInView : undefined}
              role="option"
              tabIndex={-1}
              type="button"
            >
              <bdi>{name}</bdi>
            </button>
          ))}
        </div>
      ) : null}
      <p className="sr-only" role="status">
        {open ? t('mention.choose') : null}
      </p>
    </div>
  );
}

function areaOf(id: string): HTMLTextAreaElement | null {
  const area = document.getElementById(id);
  return area instanceof HTMLTextAreaElement ? area : null;
}

const keepInView = (shown: HTMLElement | null) => shown?.scrollIntoView({ block: 'nearest' });

/** Writes a text up to the caret, as typing does. */
function type(area: HTMLTextAreaElement, text: string, from: number): void {
  area.setRangeText(text, from, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}

/** What the page of an application shows; its parts read it with `useCase`. */
type ShownApplication = {
  application: ApplicationDetail;
  /** The application as its forms show it, while somebody is filling them in. */
  forms: ApplicationDetail;
  caseFile: CaseFile;
  /** Who is working on it; null for nobody, and for a decided one. */
  holder: Holder | null;
  /** Why its forms must not be sent now. */
  block: FormBlock | null;
  /** The moment of all this, in milliseconds since 1970. */
  madeAt: number;
  viewer: { id: string; role: Role };
  /** Who it can be assigned to, and who can be mentioned in a note. */
  colleagues: readonly MentionablePerson[];
  /** Fellow travellers; null in an order of one traveller. */
  fellows: FellowTravellers | null;
  templates: OfferedTemplates;
  /** Whether the form of a rejection is open. */
  asked: 'reject' | null;
  /** The decision or message that its author left without sending. */
  draft: {
    id: string;
    reason: string | null;
    message: string | null;
    code: string | null;
    hasFile: boolean;
  } | null;
  /** What the form just sent has done. */
  done: DoneWord | null;
  /** Why it was refused. */
  problem: CaseProblem | null;
  /** The document numbers in full, once they were asked for. */
  numbers: DocumentNumbers | null;
};

const CaseContext = createContext<ShownApplication | null>(null);

export function CaseProvider({
  value,
  children,
}: {
  value: ShownApplication;
  children: ReactNode;
}) {
  return <CaseContext value={value}>{children}</CaseContext>;
}

/** The application that the page shows. */
export function useCase(): ShownApplication {
  const shown = use(CaseContext);
  if (!shown) throw new Error('A part of the page of an application stands outside it');
  return shown;
}

/**
 * Why a form of this action was refused: the problem, its text, and the field that it is about; nulls where it was not.
 * `about`: of that one alone, where there is one for each note or email.
 */
export function useProblem(action: CaseAction, about?: string) {
  const { problem } = useCase();
  const isMine = problem?.action === action && (about === undefined || problem.about === about);
  const mine = isMine ? problem : null;
  const text = useErrorText(mine?.error ?? null);
  return { problem: mine, text, field: mine && refusedField(mine) };
}

const placeOf = (done: DoneWord) =>
  caseActionNames.map((one) => actionRules(one)).find((one) => one.done === done)?.place;

/** Confirms what was done, in the section where it was done. */
export function DoneNotice({ place }: { place: ReturnType<typeof placeOf> }) {
  const { t } = useTranslation('desk');
  const { done } = useCase();
  return done && placeOf(done) === place ? <DoneMessage>{t(`done.${done}`)}</DoneMessage> : null;
}

/**
 * The id of what a form writes next. The page brings another one with each load, but the form keeps its own until
 * something is stored under it: another form's submission, which loads the page anew as well, must not empty one that
 * is half filled in, nor one whose sending was interrupted.
 */
export function useNextId(brought: string, stored: readonly { id: string }[]): string {
  const [id, setId] = useState(brought);
  if (id !== brought && stored.some((one) => one.id === id)) setId(brought);
  return id;
}

/** Whether the form of this action and id is being sent. */
export function useIsSending(action: CaseAction, about: string): boolean {
  const { formData } = useNavigation();
  return formData?.get('intent') === action && formData.get('about') === about;
}

/** One text field and one button, about one note, email or application; with a `title` inside a disclosure. */
export function CaseFileForm({
  intent,
  about: given,
  title,
  lead,
  label,
  send,
  text = '',
  longest,
  mentions = [],
}: {
  intent: CaseAction;
  /** The id of the note, email or application. */
  about: string;
  title?: string;
  lead?: string;
  label: string;
  send: string;
  /** The initial text. */
  text?: string;
  longest: number;
  /** Who can be mentioned in the text. */
  mentions?: readonly MentionablePerson[];
}) {
  const { problem, text: error } = useProblem(intent, title === undefined ? undefined : given);
  // A refused form keeps its id, so that sending it again stores it once.
  const about = problem?.about ?? given;
  const isSending = useIsSending(intent, about);
  const name = fieldName(intent, about);
  const form = (
    // Another key remounts the form, which empties it after sending.
    <Form
      className="grid gap-2.5 pt-1 pb-3"
      key={`${name} ${text}`}
      method="post"
      preventScrollReset
    >
      {lead ? <p>{lead}</p> : null}
      <input name="intent" type="hidden" value={intent} />
      <input name="about" type="hidden" value={about} />
      <TextArea
        {...(title === undefined && keyOf(intent))}
        defaultValue={problem?.typed[name] ?? text}
        dir="auto"
        error={error}
        label={label}
        maxLength={longest}
        name={name}
        // What is typed meanwhile would be emptied with what is being sent.
        readOnly={isSending}
        required
        rows={3}
      />
      <MentionList into={name} people={mentions} />
      <Button busy={isSending} look="secondary" small wide>
        {send}
      </Button>
    </Form>
  );
  if (title === undefined) return form;
  return (
    <details className="desk-more" open={problem !== null || undefined}>
      <summary {...keyOf(intent)}>{title}</summary>
      {form}
    </details>
  );
}
