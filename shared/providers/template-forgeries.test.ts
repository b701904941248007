import { describe, expect, it } from 'vitest';
import type { AWSMachine, AWSMachineTemplate, Machine } from '../kinds/index.ts';
import { withPropagated } from '../plan/machines/propagation.ts';
import { aws } from './aws/infrastructure.ts';
import { desiredInfrastructureMachine } from './clone.ts';

const FORGED = { 'windlass.dev/launch': '{"request":{"MaxCount":5}}', 'intent.windlass.dev/vpc': 'x' };
const WISH = { 'windlass.dev/instance-types': 'm6i.large' };

const machine = (annotations: Record<string, string>) =>
  ({
    metadata: { name: 'w-1', namespace: 'default', uid: 'uid-w-1', annotations },
    spec: { infrastructureRef: { name: 'w-1' } },
  }) as unknown as Machine;

const template = (annotations: Record<string, string>) =>
  ({
    metadata: { name: 't', namespace: 'default' },
    spec: {
      template: {
        metadata: { annotations, labels: { 'windlass.dev/cluster': 'blue', team: 'a' } },
        spec: { instanceType: 't3.large', instanceID: 'i-of-another', providerID: 'aws:///a/i-of-another' },
      },
    },
  }) as unknown as AWSMachineTemplate;

describe('forgeries in a template from before templates were checked', () => {
  it('give its machines no records and no instance', () => {
    const { metadata, spec } = desiredInfrastructureMachine(
      aws,
      machine(FORGED),
      template({ ...FORGED, ...WISH, mine: 'x' }),
    );

    expect(Object.keys(metadata.annotations ?? {}).sort()).toEqual([
      'cluster.x-k8s.io/cloned-from-groupkind',
      'cluster.x-k8s.io/cloned-from-name',
      'mine',
      'windlass.dev/instance-types',
    ]);
    expect(metadata.labels).toEqual({ team: 'a' });
    expect(spec).toEqual({ instanceType: 't3.large' });
  });

  it('are not propagated to existing machines', () => {
    const before = {
      metadata: { name: 'w-1', annotations: { 'windlass.dev/launch': 'decided' } },
    } as never as AWSMachine;

    const after = withPropagated(before, { annotations: { ...FORGED, ...WISH } });

    expect(after.metadata.annotations).toEqual({ 'windlass.dev/launch': 'decided', ...WISH });
  });
});
