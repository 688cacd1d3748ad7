import type { ReactNode } from 'react';
import { Form } from 'react-router';

/** A link-like button for one row of a list: `name` and `value` name the row, `intent` the action. */
export function RowAction(props: {
  intent: string;
  name: string;
  value: string | number;
  children: ReactNode;
}) {
  return (
    <Form method="post">
      <input name={props.name} type="hidden" value={props.value} />
      <button className="link-button" name="intent" value={props.intent}>
        {props.children}
      </button>
    </Form>
  );
}
