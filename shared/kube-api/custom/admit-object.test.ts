import { expect, it } from 'vitest';
import { describeFieldError } from '../field-error.ts';
import type { KubeObject } from '../object.ts';
import type { OpenApiSchema } from '../resource.ts';
import { makeValidateObject } from './admit-object.ts';
import { withVisibleHead } from './typed-schema.ts';

it('a rule or a schema condition that the whole object breaks is reported for the field <nil>', () => {
  const rule = "self.metadata.name != 'a'";
  const whole: OpenApiSchema = { type: 'object', 'x-kubernetes-validations': [{ rule }], not: { required: ['kind'] } };
  const visible = withVisibleHead(whole);
  const validate = makeValidateObject({ schema: whole, whole, visible, scale: undefined });
  const object: KubeObject = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } };

  const errors = validate(object, undefined);

  expect(errors.map((error) => `${error.field}: ${describeFieldError(error)}`)).toEqual([
    '<nil>: Invalid value: "": "" must not validate the schema (not)',
    `<nil>: Invalid value: failed rule: ${rule}`,
  ]);
});
