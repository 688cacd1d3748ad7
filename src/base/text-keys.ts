import type api from '../../locales/en/api.json';
import type application from '../../locales/en/application.json';
import type books from '../../locales/en/books.json';
import type caseFile from '../../locales/en/case-file.json';
import type cancellation from '../../locales/en/cancellation.json';
import type catalog from '../../locales/en/catalog.json';
import type certificate from '../../locales/en/certificate.json';
import type change from '../../locales/en/change.json';
import type correction from '../../locales/en/correction.json';
import type countries from '../../locales/en/countries.json';
import type decision from '../../locales/en/decision.json';
import type desk from '../../locales/en/desk.json';
import type forYou from '../../locales/en/for-you.json';
import type figures from '../../locales/en/figures.json';
import type form from '../../locales/en/form.json';
import type gateway from '../../locales/en/gateway.json';
import type group from '../../locales/en/group.json';
import type information from '../../locales/en/information.json';
import type insurance from '../../locales/en/insurance.json';
import type lab from '../../locales/en/lab.json';
import type email from '../../locales/en/email.json';
import type pdfs from '../../locales/en/pdfs.json';
import type payment from '../../locales/en/payment.json';
import type paypalSimulator from '../../locales/en/paypal-simulator.json';
import type privacy from '../../locales/en/privacy.json';
import type receipt from '../../locales/en/receipt.json';
import type refund from '../../locales/en/refund.json';
import type rejection from '../../locales/en/rejection.json';
import type settings from '../../locales/en/settings.json';
import type setup from '../../locales/en/setup.json';
import type site from '../../locales/en/site.json';
import type staff from '../../locales/en/staff.json';
import type stripeSimulator from '../../locales/en/stripe-simulator.json';
import type templates from '../../locales/en/templates.json';
import type testMode from '../../locales/en/test-mode.json';
import type ui from '../../locales/en/ui.json';
import type views from '../../locales/en/views.json';
import type visa from '../../locales/en/visa.json';

type Sources = {
  api: typeof api;
  application: typeof application;
  books: typeof books;
  'case-file': typeof caseFile;
  cancellation: typeof cancellation;
  catalog: typeof catalog;
  certificate: typeof certificate;
  change: typeof change;
  correction: typeof correction;
  countries: typeof countries;
  decision: typeof decision;
  desk: typeof desk;
  figures: typeof figures;
  form: typeof form;
  'for-you': typeof forYou;
  gateway: typeof gateway;
  group: typeof group;
  information: typeof information;
  insurance: typeof insurance;
  lab: typeof lab;
  email: typeof email;
  payment: typeof payment;
  'paypal-simulator': typeof paypalSimulator;
  pdfs: typeof pdfs;
  privacy: typeof privacy;
  receipt: typeof receipt;
  refund: typeof refund;
  rejection: typeof rejection;
  settings: typeof settings;
  setup: typeof setup;
  site: typeof site;
  staff: typeof staff;
  'stripe-simulator': typeof stripeSimulator;
  templates: typeof templates;
  'test-mode': typeof testMode;
  ui: typeof ui;
  views: typeof views;
  visa: typeof visa;
};

/** The files of a language in `locales`. */
export type Namespace = keyof Sources;

type Plural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
/** `days_one`, `days_other` → `days`; `too_many` stays where there is no `too_other`. */
type WithoutPlural<Key extends string, Group> = Key extends `${infer Stem}_${Plural}`
  ? `${Stem}_other` extends keyof Group
    ? Stem
    : Key
  : Key;

type Paths<Group> = {
  [Key in keyof Group & string]: Group[Key] extends string
    ? WithoutPlural<Key, Group>
    : `${Key}.${Paths<Group[Key]>}`;
}[keyof Group & string];

type Keys = { [Name in Namespace]: Paths<Sources[Name]> };

/** The codes that have words in a group of a namespace: `CodeIn<'settings', 'done'>` is `'saved' | 'withdrawn'`. */
export type CodeIn<Name extends Namespace, Group extends string> = Keys[Name] extends infer Key
  ? Key extends `${Group}.${infer Code}`
    ? Code
    : never
  : never;

/** `namespace:key.of.it` */
type QualifiedKey = { [Name in Namespace]: `${Name}:${Keys[Name]}` }[Namespace];

/** A text of a namespace by its key, or of another one by both. */
export type TextKey<Name extends Namespace = never> = Keys[Name] | QualifiedKey;
