import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spokeRoleFile, spokeTemplate } from '../../spoke/template.ts';
import { ROOT } from '../paths.ts';

it('docs/spoke-role.yaml has the current permissions of the functions (update it with npm run docs)', () => {
  expect(spokeRoleFile()).toBe(readFileSync(join(ROOT, 'docs', 'spoke-role.yaml'), 'utf8'));
});

it('docs/spoke-role.yaml has no permissions for resources that only the stack has', () => {
  const text = JSON.stringify(spokeTemplate().Resources);
  for (const service of ['dynamodb', 'states', 'lambda']) expect(text).not.toContain(`"${service}:`);
});
