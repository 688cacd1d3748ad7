/** The result of something that can be refused for a reason the visitor can do something about. */
export type Outcome<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <const T>(value: T): { readonly ok: true; readonly value: T } => ({
  ok: true,
  value,
});

/** `error` is a stable code or an object that carries one; its words live in `locales/`. */
export const refused = <const E>(error: E): { readonly ok: false; readonly error: E } => ({
  ok: false,
  error,
});
