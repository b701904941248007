import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { KEY, labels, world } from './test-probe.ts';

const joined = { nodeRef: { name: 'n-1' }, addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] };
const own = { id: 1, name: 'n-1', address: '10.0.0.1' };
const other = { id: 10, name: 'n-10', address: '10.0.0.10' };

describe('etcd members', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world(joined);
  });

  const members = () => w.state.etcd?.map(({ name }) => name);
  const events = async () =>
    (await w.objects.list(kinds.event, 'default')).flatMap(({ reason, message }) =>
      reason === 'EtcdMemberRemoved' ? [message] : [],
    );
  /** A machine with an instance that is not a node yet. */
  const joining = (address: string) =>
    w.put({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name: 'm-2', namespace: 'default', labels: { ...labels, 'cluster.x-k8s.io/control-plane': '' } },
      spec: {
        clusterName: 'red',
        bootstrap: { dataSecretName: 'm-2' },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'm-2' },
      },
      status: { addresses: [{ type: 'InternalIP', address }] },
    });

  it('are unhealthy while they have an alarm', async () => {
    w.state.etcd = [{ ...own, isFull: true }];
    await w.look();
    expect(await w.condition('EtcdMemberHealthy')).toMatchObject({
      status: 'False',
      reason: 'NotHealthy',
      message: 'Etcd reports alarms: NOSPACE',
    });
    expect(await w.condition('EtcdPodHealthy')).toMatchObject({ status: 'True' });

    w.state.etcd = [own];
    await w.look();
    expect(await w.condition('EtcdMemberHealthy')).toMatchObject({ status: 'True' });
  });

  it('are evaluated by their pods if no command can be executed there', async () => {
    await w.look();
    expect(await w.condition('EtcdMemberHealthy')).toMatchObject({ status: 'True' });
  });

  it.each([300, 301])('are accepted if a name has at most 300 characters: %i', async (length) => {
    w.state.etcd = [
      { ...own, isFull: true },
      { ...other, name: 'n'.repeat(length) },
    ];
    await w.look();
    expect((await w.condition('EtcdMemberHealthy'))?.status).toBe(length > 300 ? 'True' : 'False');
  });

  it('lose a member that has no machine and does not respond, even if a machine has been joining for a long time', async () => {
    await joining('10.0.0.2');
    w.state.etcd = [own, { ...other, silent: true }];
    await w.look();
    expect(members()).toEqual(['n-1', 'n-10']);
    w.clock.advance(301);
    await w.look();
    expect(members()).toEqual(['n-1']);
    expect(await events()).toEqual(['Removed member n-10, which has no machine and does not respond, from etcd']);
  });

  it('are reported by the control plane if they have no machine, until they are removed', async () => {
    const reported = async () => {
      const found = await w.objects.get(kinds.kubeadmControlPlane, KEY);
      return found?.status?.conditions?.find(({ type }) => type === 'windlass.dev/WithoutMachine');
    };
    w.state.etcd = [own, other];
    await w.look();
    expect(await reported()).toMatchObject({
      status: 'True',
      message: 'Etcd member n-10 does not have a corresponding Machine',
    });
    w.state.etcd = [own, { ...other, silent: true }];
    await w.look();
    expect([members(), await reported()]).toMatchObject([['n-1'], { status: 'False' }]);
  });

  it.each([
    [
      'responds',
      async () => {
        w.state.etcd = [own, other];
      },
    ],
    [
      'may be that of a machine',
      async () => {
        w.state.etcd = [own, { id: 2, name: '', address: '10.0.0.2' }];
        await joining('10.0.0.2');
        w.clock.advance(301);
      },
    ],
    [
      'has no machine, while the control plane is paused',
      async () => {
        w.state.etcd = [own, { ...other, silent: true }];
        await w.objects.mutate(kinds.kubeadmControlPlane, KEY, (current) => ({
          ...current,
          metadata: { ...current.metadata, annotations: { 'cluster.x-k8s.io/paused': '' } },
        }));
      },
    ],
  ])('keep a member that %s', async (_, arrange) => {
    await arrange();
    await w.look();
    expect(members()).toHaveLength(2);
    expect(await events()).toEqual([]);
  });
});
