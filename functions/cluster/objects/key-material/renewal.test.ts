import { beforeEach, describe, expect, it } from 'vitest';
import { generateAuthority } from '../../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../../shared/bootstrap/certificates/keys.ts';
import { toSecret } from '../../../../shared/bootstrap/certificates/secrets.ts';
import { kinds } from '../../../../shared/kinds/index.ts';
import { POD_CONDITIONS } from '../../../../shared/plan/control-plane/health.ts';
import { joinConfigurationClaim } from '../../../../shared/plan/control-plane/upgrade-tasks.ts';
import { systemRandom } from '../../../../shared/random.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import {
  applyCluster,
  conditionOf,
  context,
  makeInfrastructureReady,
  makeWorld,
  pass,
  type World,
} from '../test-world.ts';

const database = useTestDatabase();

const kubeconfigOf = async (w: World): Promise<string> => {
  const secret = await w.objects.get(kinds.secret, { namespace: 'default', name: 'quickstart-kubeconfig' });
  return Buffer.from(secret?.data?.value ?? '', 'base64').toString();
};

const EXPIRY = 'machine.cluster.x-k8s.io/certificates-expiry';
const at = ({ clock }: World, time: string) => clock.advance((Date.parse(time) - clock.now().getTime()) / 1000);

/** The state in which the machines' own steps and the probe leave a complete cluster. */
const settle = async ({ objects }: World) => {
  const claim = (type: string) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  const key = (name: string) => ({ namespace: 'default', name });
  for (const { metadata } of await objects.listOfCluster(kinds.machine, 'default', 'quickstart')) {
    const isControlPlane = 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {});
    const annotations: Record<string, string> = isControlPlane ? { [EXPIRY]: '2026-12-31T00:00:00Z' } : {};
    const status = { phase: 'Running', conditions: [claim('NodeReady')] };
    await objects.mutate(kinds.kubeadmConfig, key(metadata.name), (c) => ({
      ...c,
      metadata: { ...c.metadata, annotations },
    }));
    await objects.mutate(kinds.machine, key(metadata.name), (m) => ({ ...m, status: status as never }));
  }
  const available = { conditions: [claim('Available')] };
  const ready = (object: { status?: object }) => ({ ...object, status: { ...object.status, ...available } }) as never;
  await objects.mutate(kinds.machineDeployment, key('quickstart-md-0'), ready);
  await objects.mutate(kinds.cluster, key('quickstart'), ready);
  await objects.mutate(kinds.kubeadmControlPlane, key('quickstart-control-plane'), (owner) => ({
    ...owner,
    status: { ...owner.status, initialization: { controlPlaneInitialized: true } },
  }));
};

describe('the renewal of certificates', () => {
  let w: World;
  let input: ConvergeInput;

  beforeEach(async () => {
    w = await makeWorld(database());
    ({ input } = await applyCluster(w));
    await w.work.touch(input.cluster);
    await w.steps.begin(input, context);
    await makeInfrastructureReady(w.objects);
    await pass(w, input);
    await settle(w);
  });

  const finishSettled = async (): Promise<string | undefined> => {
    await w.steps.begin(input, context);
    expect(await w.steps.finish(input, context)).toMatchObject({ waitSeconds: 0 });
    return (await w.work.get(input.cluster))?.dueAt?.toISOString();
  };

  it('starts a pass that renews the kubeconfig of a settled cluster after half of its validity', async () => {
    expect(await finishSettled()).toBe('2026-07-02T12:00:00.000Z');
    const before = await kubeconfigOf(w);
    at(w, '2026-07-02T11:59:59Z');
    await w.steps.controlPlane(input, context);
    expect(await kubeconfigOf(w)).toBe(before);
    expect(await w.work.due(w.clock.now())).toEqual([]);

    at(w, '2026-07-02T12:00:01Z');
    expect((await w.work.due(w.clock.now())).map(({ cluster }) => cluster)).toEqual([input.cluster]);
    await w.steps.controlPlane(input, context);
    expect(await kubeconfigOf(w)).not.toBe(before);
    expect(await finishSettled()).toBe('2027-01-01T00:00:01.000Z');
  });

  it('starts a pass when certificates of machines are due, and reports which machines have to be replaced', async () => {
    const key = { namespace: 'default', name: 'quickstart-control-plane' };
    await w.objects.mutate(kinds.kubeadmControlPlane, key, (owner) => ({
      ...owner,
      spec: { ...owner.spec, rollout: { before: { certificatesExpiryDays: 300 } } },
    }));
    await w.steps.report(input, context);
    const [machine] = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    expect(machine?.status?.certificatesExpiryDate).toBe('2026-12-31T00:00:00Z');
    await settle(w);
    await w.steps.report(input, context);
    await settle(w);
    at(w, '2026-03-07T00:00:00Z');
    await w.steps.report(input, context);
    const owner = await w.objects.get(kinds.kubeadmControlPlane, key);
    expect(conditionOf(owner, 'MachinesUpToDate')).toMatchObject({ status: 'False' });
    expect(conditionOf(owner, 'MachinesUpToDate')?.message).toContain('Certificates will expire soon');
    expect(conditionOf(owner, 'RollingOut')?.message).toContain(
      'Rolling out 3 not up-to-date replicas\n* Certificates will expire soon\nIt waits:\n* The configuration that machines join with is',
    );
  });

  it('replaces a machine before its certificates expire, after adding another, when all are healthy', async () => {
    const key = { namespace: 'default', name: 'quickstart-control-plane' };
    await w.objects.mutate(kinds.kubeadmControlPlane, key, (owner) => ({
      ...owner,
      spec: { ...owner.spec, rollout: { before: { certificatesExpiryDays: 300 } } },
    }));
    const controlPlane = async () =>
      (await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart')).filter(
        ({ metadata }) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}),
      );
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const healthy = [...POD_CONDITIONS, 'EtcdPodHealthy', 'EtcdMemberHealthy'].map((type) => ({
      ...{ type, status: 'True', reason: type, message: '', lastTransitionTime },
    }));
    for (const { metadata } of await controlPlane()) {
      const status = { nodeRef: { name: metadata.name }, conditions: healthy };
      await w.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, (machine) => ({
        ...machine,
        status: { ...machine.status, ...status } as never,
      }));
    }
    await w.objects.mutate(kinds.kubeadmControlPlane, key, (owner) => ({
      ...owner,
      status: { ...owner.status, conditions: [{ ...joinConfigurationClaim(owner), lastTransitionTime }] as never },
    }));
    await w.steps.report(input, context);
    at(w, '2026-03-05T00:00:00Z');
    await w.steps.controlPlane(input, context);
    expect(await controlPlane()).toHaveLength(3);

    at(w, '2026-03-07T00:00:00Z');
    await w.steps.controlPlane(input, context);
    expect(await controlPlane()).toHaveLength(4);
    await w.steps.controlPlane(input, context);
    expect(await controlPlane()).toHaveLength(4);
  });

  it('does not change the kubeconfig of a running cluster whose authority has changed', async () => {
    const before = await kubeconfigOf(w);
    const other = await generateAuthority({
      clock: w.clock,
      random: systemRandom,
      keys: webCryptoKeys,
      algorithm: 'ECDSA-P256',
    });
    const change = () =>
      w.objects.mutate(kinds.secret, { namespace: 'default', name: 'quickstart-ca' }, (secret) => ({
        ...secret,
        data: toSecret('quickstart', 'default', 'ca', other).data,
      }));
    await change();
    await w.steps.controlPlane(input, context);
    expect(await kubeconfigOf(w)).toBe(before);

    const key = { namespace: 'default', name: 'quickstart-control-plane' };
    await w.objects.mutate(kinds.kubeadmControlPlane, key, ({ status: _, ...owner }) => owner);
    await w.steps.controlPlane(input, context);
    expect(await kubeconfigOf(w)).toContain(Buffer.from(other.certificatePem).toString('base64'));
  });
});
