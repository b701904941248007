import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTags, OWNER_TAG, ownershipTag, POOL_TAG, type Tags } from '../../tags.ts';
import { MACHINE_NAME_TAG, MACHINE_UID_TAG } from '../launch/request.ts';
import { isMachines, type MachineIdentity, notOwnedMessage, ownershipOf } from './instance.ts';

const ME: MachineIdentity = { cluster: { namespace: 'blue', name: 'prod' }, machine: 'm', machineUid: 'uid-1' };
const tagsOf = ({ cluster, machine, machineUid }: MachineIdentity): Tags =>
  buildTags({
    cluster,
    name: machine,
    role: 'node',
    extra: { [MACHINE_NAME_TAG]: `${cluster.namespace}/${machine}`, [MACHINE_UID_TAG]: machineUid },
    cloudProvider: 'owned',
  });
const upstreams = (me: MachineIdentity): Tags => {
  const { [OWNER_TAG]: _owner, [MACHINE_UID_TAG]: _uid, ...tags } = tagsOf(me);
  return tags;
};
const without = (tags: Tags, ...keys: string[]): Tags =>
  Object.fromEntries(Object.entries(tags).filter(([key]) => !keys.includes(key)));
const of = (tags: Tags, clientToken?: string) => ownershipOf({ tags, clientToken }, ME);

describe('an instance of a pool', () => {
  const POOL: MachineIdentity = { ...ME, isOfPool: true };
  const GROUP = { 'aws:autoscaling:groupName': 'blue.pool-0' };
  const SECRET = 'sigs.k8s.io/cluster-api-provider-aws/bootstrap-data-secret';
  const made = { ...buildTags({ cluster: ME.cluster, role: 'node' }), ...GROUP, [POOL_TAG]: 'blue/pool-0' };
  const theirs = { ...GROUP, [ownershipTag('prod')]: 'owned', [SECRET]: 'blue/pool-0' };

  it.each([
    ['a group of this cluster', made, 'ours'],
    ['a group that upstream created for this cluster', theirs, 'ours'],
    ['a group of another namespace', { ...made, [OWNER_TAG]: 'red/prod' }, 'foreign'],
    ['a group that upstream created in another namespace', { ...theirs, [SECRET]: 'red/pool-0' }, 'foreign'],
    ['no group', without(made, 'aws:autoscaling:groupName'), 'foreign'],
  ])('is determined by the tags of %s', (_, tags, whose) => {
    expect(ownershipOf({ tags }, POOL)).toBe(whose);
  });

  it('does not belong to a Machine outside a pool', () => {
    expect(ownershipOf({ tags: made }, ME)).toBe('foreign');
  });
});

describe('the ownership of an instance', () => {
  it('is determined by its tags, or by the token of its launch if they were removed', () => {
    expect(of(tagsOf(ME))).toBe('ours');
    expect(of({}, 'uid-1')).toBe('ours');
    expect(of({}, 'uid-1-3')).toBe('ours');
    expect(of(without(tagsOf(ME), OWNER_TAG, ownershipTag('prod')))).toBe('ours');
    expect(of(without(tagsOf(ME), MACHINE_NAME_TAG))).toBe('ours');
  });

  it('is determined by the name of the machine if it was created for another uid, here or by upstream', () => {
    expect(of(tagsOf({ ...ME, machineUid: 'uid-0' }), 'uid-0')).toBe('moved');
    expect(of(upstreams(ME))).toBe('moved');
    expect(of(without(tagsOf(ME), MACHINE_UID_TAG))).toBe('moved');
  });

  it.each([
    ['another namespace', tagsOf({ ...ME, cluster: { ...ME.cluster, namespace: 'red' } })],
    ['another namespace, created by upstream', upstreams({ ...ME, cluster: { ...ME.cluster, namespace: 'red' } })],
    ['another cluster', tagsOf({ ...ME, cluster: { ...ME.cluster, name: 'test' }, machineUid: 'uid-0' })],
    ["another cluster that has set this machine's uid", { ...tagsOf(ME), [OWNER_TAG]: 'red/prod' }],
    ['another machine', tagsOf({ ...ME, machine: 'n', machineUid: 'uid-0' })],
    ['the bastion of the cluster', buildTags({ cluster: ME.cluster, role: 'bastion' })],
    ['created by upstream, without the name of a machine', without(upstreams(ME), MACHINE_NAME_TAG)],
    ['only a role', { 'sigs.k8s.io/cluster-api-provider-aws/role': 'node' }],
  ])('is foreign: %s', (_what, tags) => {
    expect(of(tags)).toBe('foreign');
    expect(isMachines({ tags }, ME)).toBe(false);
  });

  it('is unclaimed if nothing indicates an owner', () => {
    expect(of({ Name: 'build-server' })).toBe('unclaimed');
    expect(of({}, 'uid-10')).toBe('unclaimed');
    expect(ownershipOf({ tags: {}, clientToken: '' }, { ...ME, machineUid: '' })).toBe('unclaimed');
  });

  it('is never attributed to two machines of different namespaces, whatever tags are left', () => {
    const theirs = { ...ME, cluster: { namespace: 'red', name: 'prod' }, machineUid: 'uid-2' };
    const all = tagsOf(theirs);
    fc.assert(
      fc.property(fc.subarray(Object.keys(all)), fc.boolean(), (kept, hasToken) => {
        const tags = without(all, ...Object.keys(all).filter((key) => !kept.includes(key)));
        expect(isMachines({ tags, clientToken: hasToken ? 'uid-2' : undefined }, ME)).toBe(false);
      }),
    );
  });

  it('is not disclosed to a machine that does not own the instance', () => {
    expect(notOwnedMessage('i-1', ME)).toBe(
      'spec.instanceID: instance i-1 is left alone, because its tags do not show that it belongs to Machine m of cluster blue/prod',
    );
  });
});
