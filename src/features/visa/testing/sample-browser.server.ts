import { quietPayments } from '~/features/payment/testing/refunds.ts';
import { RouterContextProvider } from 'react-router';
import { insertCountries } from '~/features/catalog/store.server.ts';
import type { Country } from '~/features/catalog/regime.ts';
import { paymentsContext, type Payments } from '~/features/payment/settlement/context.server.ts';
import type { Language } from '~/base/languages.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import type { VisaAnswers } from '../rules/answers.ts';
import { completeAnswers, countries, NOW } from './sample-answers.ts';
import { UNLIMITED } from '../rules/typed.ts';

type Sent = { status: number; location: string | null; data: unknown };
type Handler = (args: { request: Request; context: RouterContextProvider }) => Promise<unknown>;

/** A browser without scripts that calls loaders and actions and keeps its cookies. */
export function makeBrowser(
  platform: Platform,
  { language = 'en', payments }: { language?: Language; payments?: Payments } = {},
) {
  const cookies = new Map<string, string>();
  const context = new RouterContextProvider();
  context.set(platformContext, platform);
  context.set(languageContext, language);
  context.set(addressContext, '192.0.2.1');
  context.set(paymentsContext, payments ?? quietPayments());

  function remember(headers: HeadersInit | undefined) {
    for (const line of new Headers(headers).getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (line.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  async function call(
    handler: Handler,
    path: string,
    body?: URLSearchParams | FormData,
  ): Promise<Sent> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const request = new Request(`http://127.0.0.1:3000${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { cookie },
      body,
    });
    const answer = await handler({ request, context }).catch((thrown: unknown) => {
      if (thrown instanceof Response) return thrown;
      throw thrown;
    });
    if (answer instanceof Response) {
      remember(answer.headers);
      return { status: answer.status, location: answer.headers.get('location'), data: null };
    }
    const init = initOf(answer);
    remember(init?.headers);
    const data = init ? dataOf(answer) : answer;
    return { status: init?.status ?? 200, location: null, data };
  }

  return {
    cookies,
    get: (handler: Handler, path = '/application') => call(handler, path),
    /** Files are sent where a group's are. */
    post: (handler: Handler, fields: Record<string, string> | FormData, path?: string) =>
      fields instanceof FormData
        ? call(handler, path ?? '/application/travellers', fields)
        : call(handler, path ?? '/application', new URLSearchParams(fields)),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The `init` of a response made by React Router's `data()`. */
function initOf(answer: unknown): ResponseInit | null {
  return isRecord(answer) && answer.type === 'DataWithResponseInit' ? (answer.init ?? {}) : null;
}
const dataOf = (answer: unknown): unknown => (isRecord(answer) ? answer.data : undefined);

/** Answers in the pages' controls. */
export function controls(answers: VisaAnswers): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [field, answer = ''] of Object.entries(answers)) {
    const isDate = field.endsWith('Date') || field === 'dateOfBirth';
    if (isDate && answer === 'unlimited') all[UNLIMITED] = 'yes';
    else if (isDate) {
      const [year = '', month = '', day = ''] = answer.split('-');
      Object.assign(all, {
        [`${field}-day`]: day,
        [`${field}-month`]: month,
        [`${field}-year`]: year,
      });
    } else all[field] = answer;
  }
  return all;
}

export const southAfrican = controls(completeAnswers(countries.southAfrica));
export const indian = controls(completeAnswers(countries.india));

/** Inserts the sample nationalities into a test's database. */
export async function storeCountries({ db }: Platform): Promise<void> {
  const rows = Object.values(countries).map((terms): Country => ({
    ...terms,
    id: terms.code,
    iso2: null,
    name: terms.code,
    validityDays: null,
    note: '',
    source: '',
  }));
  await db.transaction((tx) => insertCountries(tx, rows, NOW));
}
