import { expect, it } from 'vitest';
import { validateVariables } from './validate-variables.ts';
import { inlineDefinitions } from './variables/definitions.ts';
import { validateTopologyVariables } from './variables/topology.ts';

const LIMIT = 30_000;
const STOPPED = 'takes too many steps';

const LONG = 'a'.repeat(200_000);

const text = (rest: object) => ({
  name: 'text',
  required: false,
  schema: {
    openAPIV3Schema: {
      type: 'string' as const,
      allOf: Array.from({ length: 2000 }, (_, index) => ({ pattern: `^(a|b|${index})*$` })),
      ...rest,
    },
  },
});

it('a class is refused if its patterns take too many steps for a default', { timeout: LIMIT }, () => {
  const [error, ...others] = validateVariables([text({ default: LONG })]);
  expect(error?.field).toBe('spec.variables[text].schema.openAPIV3Schema.default');
  expect(error?.detail).toContain(STOPPED);
  expect(others).toEqual([]);
});

it('the overrides of all groups of machines take limited steps together', { timeout: LIMIT }, () => {
  const machineDeployments = Array.from({ length: 500 }, (_, index) => ({
    class: 'worker',
    name: `group-${index}`,
    variables: { overrides: [{ name: 'text', value: LONG }] },
  }));
  const topology = { classRef: { name: 'c' }, version: 'v1.35.0', workers: { machineDeployments } };
  const start = performance.now();
  const errors = validateTopologyVariables(topology, undefined, inlineDefinitions([text({})]));
  expect(errors).toHaveLength(500);
  expect(errors.at(-1)?.detail).toContain(STOPPED);
  expect(performance.now() - start).toBeLessThan(LIMIT / 2);
});
