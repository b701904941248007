import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FunctionName } from '../../bundle/entries.ts';
import { grantsOf } from '../../constructs/grants/grants.ts';
import { REACHING } from '../../constructs/workflow/attachment.ts';
import { ROOT } from '../paths.ts';
import { CALLED_BY_OTHERS, CALLED_SERVICES, CALLED_SOMETIMES } from './function-network.ts';

/** Called only if a stack names extensions. */
const OPTIONAL = ['lambda'];
/** Called only for clusters with a bucket. */
const FOR_BUCKETS = ['s3'];

/** AWS checks these permissions when it carries out another call. */
const ON_BEHALF = ['iam:CreateServiceLinkedRole', 'iam:PassRole'];

const ARN = 'arn:aws:service:region:111111111111:thing';
const GRANTS = grantsOf({
  ...{ tableArn: ARN, sealKeyArn: ARN, convergeClusterArn: ARN },
  ...{ provisionMachineArn: ARN, removeMachineArn: ARN, convergePoolArn: ARN },
  ...{ assumableRoles: [ARN], instanceProfiles: ['nodes'], extensionFunctions: [ARN] },
});

const granted = (names: readonly FunctionName[] = REACHING): string[] => {
  const actions = names.flatMap((name) => GRANTS[name]).flatMap((statement) => statement.actions);
  const called = actions.filter((action) => !ON_BEHALF.includes(action));
  return [...new Set(called.map((action) => action.split(':')[0] ?? ''))].sort();
};

it('the called services are those that the functions in the VPC may call', () => {
  expect([...CALLED_SERVICES, ...OPTIONAL, ...FOR_BUCKETS].sort()).toEqual(granted());
});

it('the called services, including those of functions outside the VPC, are those that all functions may call', () => {
  const all = [...CALLED_SERVICES, ...CALLED_BY_OTHERS, ...Object.keys(CALLED_SOMETIMES), ...OPTIONAL];
  expect(all.sort()).toEqual(granted(Object.keys(GRANTS) as FunctionName[]));
});

it('the called services are those with endpoints in the document', () => {
  const text = readFileSync(join(ROOT, 'docs', 'private-networks.md'), 'utf8');
  const listed = [...text.matchAll(/^\| [A-Z][\w ]+ \| `([a-z0-9]+)` \|/gm)].map(([, service]) => service ?? '');

  expect(listed.sort()).toEqual(granted());
});
