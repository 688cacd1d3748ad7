import { Ajv, type ValidateFunction } from 'ajv';
import { nestedForm } from '../src/lab/stripe/stripe-calls.server.ts';

/** A call as it passed: what was asked, and what was answered. */
export type PassedCall = {
  method: 'GET' | 'POST';
  /** Its path, and its query or form as the client encoded it. */
  path: string;
  form: URLSearchParams;
  status: number;
  answer: unknown;
};

type Schema = { [name: string]: unknown };
type Operation = {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
};
export type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/**
 * Checks calls against an OpenAPI 3.0 description whose requests are forms and whose answers are JSON. Stricter than
 * the description where it says nothing: neither side may name what it does not list. Returns what is wrong.
 */
export function describedCalls({ paths, components }: Description) {
  // Forms are texts: `coerceTypes` reads a number where a number is described. Answers are taken as they are.
  const requests = new Ajv({ strict: false, coerceTypes: true });
  const answers = new Ajv({ strict: false });
  for (const [name, schema] of Object.entries(components.schemas)) {
    answers.addSchema(asJsonSchema(schema), `#/components/schemas/${name}`);
    requests.addSchema(asJsonSchema(schema), `#/components/schemas/${name}`);
  }
  const compiled = new Map<string, ValidateFunction>();
  const validate = (ajv: Ajv, key: string, schema: Schema, value: unknown): string[] => {
    const check = compiled.get(key) ?? ajv.compile(asJsonSchema(schema));
    compiled.set(key, check);
    if (check(value)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${key}: ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };

  return {
    /** The path's template, or null where the description has none. */
    templateOf: (path: string) =>
      Object.keys(paths).find((template) =>
        new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
      ) ?? null,

    violations({ method, path, form, status, answer }: PassedCall): string[] {
      const template = this.templateOf(path);
      const operation = template ? paths[template]?.[method.toLowerCase()] : undefined;
      if (!operation) return [`${method} ${path} is not described`];
      const call = `${method} ${template}`;
      const asked =
        method === 'POST'
          ? operation.requestBody?.content['application/x-www-form-urlencoded']?.schema
          : querySchema(operation);
      const answered = (operation.responses[status] ?? operation.responses.default)?.content[
        'application/json'
      ]?.schema;
      if (!asked || !answered) return [`${call}: neither form nor answer is described`];
      return [
        ...validate(requests, `${call} asked`, asked, nestedForm(form)),
        ...validate(answers, `${call} answered ${status}`, answered, answer),
      ];
    },
  };
}

/** The parameters of a query as one object. */
function querySchema({ parameters = [] }: Operation): Schema {
  const query = parameters.filter((one) => one.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** OpenAPI 3.0 in words of JSON Schema: what may be null, and no other names than those described. */
function asJsonSchema(schema: unknown): Schema {
  return translated(schema) as Schema;
}

function translated(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(translated);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = schema as Schema;
  const inner = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, translated(value)]),
  );
  if ('properties' in inner && inner.type === 'object' && !('additionalProperties' in inner)) {
    inner.additionalProperties = false;
  }
  return nullable === true ? { anyOf: [inner, { type: 'null' }] } : inner;
}
