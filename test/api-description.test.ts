import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { describeApi, fieldCodes } from '../src/app/api/api-description.server.ts';
import { calls } from '../src/app/api/api-calls.server.ts';

const description = describeApi('https://lale.example', {
  reader: 'staff',
  staffCookie: 'lale_staff',
});
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

describe('the description of the calls', () => {
  test('is a valid OpenAPI document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(description));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('refers to nothing that is missing, and lists no schema that nothing refers to', () => {
    const text = JSON.stringify(description);
    const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect([...new Set(named)].toSorted()).toEqual(
      Object.keys(description.components.schemas).toSorted(),
    );
    expect(text).not.toContain('$defs');
  });

  test('names each operation once, each of its path parameters, and who may call it', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const named = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      expect(named, path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(operation.security, path).toEqual(
        path.startsWith('/api/admin/') ? [{ staff: [] }] : [],
      );
    }
  });

  test('has a schema for every answer and body, and a line for a shell', () => {
    for (const { path, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(JSON.stringify(response), `${path} ${status}`).toContain('"schema"');
      }
      expect(operation['x-codeSamples'][0]?.source, path).toMatch(/^curl /);
    }
  });

  test('has examples that its own schemas accept', () => {
    for (const [path, methods] of Object.entries(calls)) {
      for (const [method, call] of Object.entries(methods)) {
        if (!call.body) continue;
        const body = description.paths[path]?.[method]?.requestBody?.content['application/json'];
        const ajv = new Ajv2020({ strict: false, validateFormats: false });
        ajv.addSchema({ $id: 'doc', ...description });
        const pointer = `doc#/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}/requestBody/content/application~1json/schema`;
        const check = ajv.compile({ $ref: pointer });
        expect(check(call.example) || check.errors, path).toBe(true);
        expect(body).toMatchObject({ example: call.example });
      }
    }
  });

  test('lists the codes of fields', () => {
    expect(fieldCodes()).toEqual(
      expect.arrayContaining(['date_invalid', 'differs', 'too_slow', 'six_months', 'visa_free']),
    );
  });
});
