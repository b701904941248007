import { expect, it } from 'vitest';
import { kinds } from '../../kinds/index.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { kindsWith } from './kinds.ts';

const rack = { group: 'rack.example.com', version: 'v1', kind: 'RackMachineTemplate' } as ResourceDefinition;
const kindOf = kindsWith([rack]);

it('kindOf finds the kinds of Windlass and those of external providers, each in its own version', () => {
  const template = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachineTemplate' };
  expect(kindOf(template)?.kind).toBe(kinds.awsMachineTemplate.kind);
  expect(kindOf({ apiVersion: 'rack.example.com/v1', kind: 'RackMachineTemplate' })).toBe(rack);
  expect(kindOf({ apiVersion: 'rack.example.com/v2', kind: 'RackMachineTemplate' })).toBeUndefined();
  expect(kindOf({ apiVersion: 'rack.example.com/v1', kind: 'RackMachine' })).toBeUndefined();
});
