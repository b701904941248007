import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { grantsOf } from '../../constructs/grants/grants.ts';
import { REACHING } from '../../constructs/workflow/attachment.ts';
import { ROOT } from '../paths.ts';
import { CALLED_SERVICES } from './function-network.ts';

/** Only if a stack names extensions. */
const OPTIONAL = ['lambda'];

/** Checked by AWS when it carries out another call; no function calls IAM. */
const ON_BEHALF = 'iam:CreateServiceLinkedRole';

const ARN = 'arn:aws:service:region:111111111111:thing';
const GRANTS = grantsOf({
  ...{ tableArn: ARN, sealKeyArn: ARN, convergeClusterArn: ARN },
  ...{ provisionMachineArn: ARN, removeMachineArn: ARN, convergePoolArn: ARN },
  ...{ assumableRoles: [ARN], instanceProfiles: ['nodes'], extensionFunctions: [ARN] },
});

const granted = (): string[] => {
  const actions = REACHING.flatMap((name) => GRANTS[name]).flatMap((statement) => statement.actions);
  const called = actions.filter((action) => action !== ON_BEHALF);
  return [...new Set(called.map((action) => action.split(':')[0] ?? ''))].sort();
};

it('are those that the functions in the VPC may call', () => {
  expect([...CALLED_SERVICES, ...OPTIONAL].sort()).toEqual(granted());
});

it('are those that the document lists endpoints of', () => {
  const text = readFileSync(join(ROOT, 'docs', 'private-networks.md'), 'utf8');
  const listed = [...text.matchAll(/^\| [A-Z][\w ]+ \| `([a-z0-9]+)` \|/gm)].map(([, service]) => service ?? '');

  expect(listed.sort()).toEqual(granted());
});
