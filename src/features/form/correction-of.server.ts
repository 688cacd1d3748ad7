import { Hono, type Context } from 'hono';
import { data, type RouterContextProvider } from 'react-router';
import type { z } from 'zod';
import {
  correctionStatus,
  overStatus,
  type CorrectionAnswer,
  type CorrectionOver,
} from '~/features/application/correction/correction-answer.ts';
import {
  openCorrectionLink,
  type OpenCorrection,
} from '~/features/application/correction/correction-link.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import type { PhoneCodes } from '~/features/application/phone-codes.ts';
import { phoneCodesIn } from '~/features/application/read-phone.server.ts';
import { readForm, readObject } from '~/platform/input/read-body.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { normaliseNumber } from '~/features/application/number.ts';
import { addressOf } from '~/platform/http/address.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import { negotiated } from '~/i18n/page-language.server.ts';
import {
  answersInBody,
  invalidCall,
  notTexts,
  placedIn,
  withCountryCode,
} from './read-call.server.ts';
import type { Problem } from './answers/check.ts';
import type { Typed } from './answers/controls.ts';
import type { DraftFile } from './draft/draft-content.ts';
import { fullName } from '~/features/application/full-name.ts';
import { correctionLink, type correctionAnswer } from './correction-shapes.ts';

type Args = {
  request: Request;
  params: { token: string };
  context: Readonly<RouterContextProvider>;
};

/** What the page of a correction is shown from: the reopened fields, or why there are none. */
export type CorrectionPageData<Field> =
  | {
      open: {
        fields: readonly Field[];
        note: string;
        /** Whose application it is, and until when it may be corrected. */
        number: string;
        name: string;
        kind: 'visa' | 'insurance';
        startsOn: string;
        answerBy: Date;
        keepsStart: boolean;
        typed: Typed;
        /** For the country beside a phone number; null where that is not asked. */
        phone: { codes: PhoneCodes; nationality: string } | null;
        /** The files that have arrived. */
        files: readonly DraftFile[];
      };
      why: null;
    }
  | { open: null; why: CorrectionOver };

/** What the page of a correction submits. */
export type SentCorrection = { typed: Typed; form: FormData; address: string };

/** Loader, action and rules for the correction of one kind of application; `Open`: the fields that may be reopened. */
export function correctionOf<Field extends string, Open extends Field, Details>({
  kind,
  detailsOf,
  correctableOf,
  storedOf,
  typedOf,
  readTyped,
  apply,
  filesOf = async () => [],
  confirmed = {},
}: {
  kind: 'visa' | 'insurance';
  detailsOf: (db: Queryable, sealer: Sealer, applicationId: string) => Promise<Details | null>;
  correctableOf: (names: readonly string[]) => Open[];
  /** The answers as they are stored. */
  storedOf: (open: OpenCorrection<Details, Open>) => { [F in Field]?: string };
  /** The controls of these fields for given answers. */
  typedOf: (answers: { [F in Field]?: string }, fields: readonly Open[]) => Typed;
  readTyped: (form: FormData, fields: readonly Open[]) => Typed;
  /** Checks and applies the answer: all of it, once, or none. */
  apply: (
    platform: Platform,
    open: OpenCorrection<Details, Open>,
    sent: SentCorrection,
  ) => Promise<CorrectionAnswer<Problem<Field>>>;
  /** What pages have travellers confirm and a call confirms by being made. */
  confirmed?: Typed;
  /** The files that have arrived for a correction that is open; none by default. */
  filesOf?: (platform: Platform, correctionId: string) => Promise<readonly DraftFile[]>;
}) {
  /** Opens a link. */
  const open = (platform: Platform, token: string) =>
    openCorrectionLink(platform, token, { kind, detailsOf, correctableOf });

  async function correct(
    platform: Platform,
    token: string,
    form: FormData,
    address = '',
  ): Promise<CorrectionAnswer<Problem<Field>>> {
    const opened = await open(platform, token);
    if (!opened.ok) return { kind: 'over', why: opened.error };
    const { application, fields } = opened.value;
    const typed = withCountryCode(readTyped(form, fields), application.countryCode);
    // Not checked or stored: the page is only shown in another language.
    if (form.get('intent') === SWITCH_LANGUAGE) return { kind: 'typed', typed };
    return apply(platform, opened.value, { typed, form, address });
  }

  /**
   * The same by a call: `link` is the address in the email, or its last part; a field that the body leaves out keeps its
   * answer.
   */
  async function answerCall(platform: Platform, c: Context): Promise<Response> {
    const read = await readObject(c.req.raw);
    if (!read.ok) return read.error;
    const body = read.value;
    const link = correctionLink.safeParse(body.link);
    if (!link.success) {
      const code =
        body.link === undefined
          ? 'required'
          : typeof body.link === 'string'
            ? 'too_long'
            : 'not_text';
      return problem({ code: 'invalid', errors: { link: code } });
    }
    const opened = await open(platform, /[^/]*$/.exec(link.data)?.[0] ?? '');
    const number = normaliseNumber(c.req.param('number') ?? '');
    if (!opened.ok || opened.value.application.number !== number) {
      return problem({ code: 'correction_over' });
    }
    const { application, fields } = opened.value;
    const given = answersInBody<Field>(fields, body);
    const held = { ...typedOf({ ...storedOf(opened.value), ...given }, fields), ...confirmed };
    const typed = withCountryCode(held, application.countryCode);
    // A day that does not exist leaves the controls of a date empty.
    const isNoDay = (field: Open) =>
      held[`${field}-day`] === '' && !['', 'unlimited'].includes((given[field] ?? '').trim());
    const wrongDays = fields.filter(isNoDay).map((field) => ({ field, code: 'date_invalid' }));
    const notRead = [...notTexts(fields, body), ...wrongDays];
    const answer: CorrectionAnswer<Problem> =
      notRead.length > 0
        ? { kind: 'problems', problems: notRead, typed }
        : await apply(platform, opened.value, {
            typed,
            form: new FormData(),
            address: addressOf(c, platform),
          });
    switch (answer.kind) {
      case 'done':
        c.header('Cache-Control', 'no-store');
        return c.json({ applicationNumber: number } satisfies z.infer<typeof correctionAnswer>);
      case 'problems':
        return problem(invalidCall(negotiated(c.req.raw), placedIn(kind, answer.problems)));
      case 'over':
        return problem({ code: 'correction_over' });
      default:
        return problem({ code: 'nothing_changed' });
    }
  }

  return {
    open,
    correct,

    /** The call that answers a correction. */
    api(platform: Platform) {
      const path = kind === 'visa' ? '/api/applications' : '/api/insurance/applications';
      return new Hono().post(`${path}/:number/correction`, (c) => answerCall(platform, c));
    },

    /** For the loader of its page. */
    async load({ params, context }: Args) {
      const opened = await open(context.get(platformContext), params.token);
      if (!opened.ok) {
        const page: CorrectionPageData<Open> = { open: null, why: opened.error };
        return data(page, { status: overStatus[opened.error] });
      }
      const { correction, fields, application } = opened.value;
      const typed = typedOf(storedOf(opened.value), fields);
      const phone =
        typed.phone === undefined
          ? null
          : {
              codes: phoneCodesIn(context.get(languageContext)),
              nationality: application.countryCode,
            };
      const files = await filesOf(context.get(platformContext), correction.id);
      const { number, startsOn } = application;
      const { note, answerBy, keepsStart } = correction;
      const whose = { number, name: fullName(application), kind, startsOn, answerBy, keepsStart };
      const shown = { fields, note, ...whose, typed, phone, files };
      const page: CorrectionPageData<Open> = { open: shown, why: null };
      return data(page);
    },

    /** For its action. */
    async act({ request, params, context }: Args) {
      const form = await readForm({ request, context });
      const address = context.get(addressContext);
      const answer = await correct(context.get(platformContext), params.token, form, address);
      return data(answer, { status: correctionStatus(answer) });
    },
  };
}
