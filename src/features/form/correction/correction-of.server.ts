import { data, type RouterContextProvider } from 'react-router';
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
import type { PhoneCodes } from '~/features/application/phone/phone-codes.ts';
import { phoneCodesIn } from '~/features/application/phone/phone-codes.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import type { Problem } from '../answers/check.ts';
import type { Typed } from '../answers/controls.ts';
import type { DraftFile } from '../draft/draft-content.ts';
import { fullName } from '~/features/application/full-name.ts';
import { withCountryCode } from '../answers/phone-typed.server.ts';

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
  typedFrom,
  readTyped,
  apply,
  filesOf = async () => [],
}: {
  kind: 'visa' | 'insurance';
  detailsOf: (db: Queryable, sealer: Sealer, applicationId: string) => Promise<Details | null>;
  correctableOf: (names: readonly string[]) => Open[];
  /** The initial values of the controls. */
  typedFrom: (open: OpenCorrection<Details, Open>) => Typed;
  readTyped: (form: FormData, fields: readonly Open[]) => Typed;
  /** Checks and applies the answer: all of it, once, or none. */
  apply: (
    platform: Platform,
    open: OpenCorrection<Details, Open>,
    sent: SentCorrection,
  ) => Promise<CorrectionAnswer<Problem<Field>>>;
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

  return {
    open,
    correct,

    /** For the loader of its page. */
    async load({ params, context }: Args) {
      const opened = await open(context.get(platformContext), params.token);
      if (!opened.ok) {
        const page: CorrectionPageData<Open> = { open: null, why: opened.error };
        return data(page, { status: overStatus[opened.error] });
      }
      const { correction, fields, application } = opened.value;
      const typed = typedFrom(opened.value);
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
