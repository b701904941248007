import { renderBootstrapData } from '../../../shared/bootstrap/bootstrap-data.ts';
import { type KubeadmConfig, kinds, type Machine, type Secret } from '../../../shared/kinds/index.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import { controllerReference } from '../../../shared/plan/machines/desired.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { withConditions } from '../../../shared/plan/status/conditions.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { type MachineSnapshot, machineKey, readMachine } from '../read-machine.ts';
import { bootstrapInput } from './bootstrap-input.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';

/**
 * Makes the bootstrap data secret of a machine, once: its text holds a token and decides how the instance starts, so
 * what is there already is never made anew.
 */
export const bootstrapData =
  (deps: MachineObjectsDependencies) =>
  async ({ machine: ref }: MachineInput) => {
    const snapshot = await readMachine(deps.objects, ref);
    if (!snapshot) return {};
    const { machine, config } = snapshot;
    if (config) await ensureData(deps, snapshot, config, ref);
    const name = machine.spec.bootstrap.dataSecretName ?? config?.metadata.name;
    await deps.objects.mutate(kinds.machine, machineKey(ref), (current) =>
      withDataSecret(current, name, config, deps.clock.now()),
    );
    return {};
  };

const ensureData = async (
  deps: MachineObjectsDependencies,
  snapshot: MachineSnapshot,
  config: KubeadmConfig,
  ref: MachineInput['machine'],
): Promise<void> => {
  const { objects, clock } = deps;
  const key = { namespace: ref.namespace, name: config.metadata.name };
  if (!(await objects.get(kinds.secret, key))) {
    const { body, format } = renderBootstrapData(await bootstrapInput(deps, snapshot, config, ref));
    await objects.ensure(kinds.secret, dataSecret(config, ref.clusterName, body, format));
  }
  await objects.mutate(kinds.kubeadmConfig, key, (current) => ({
    ...current,
    status: {
      ...current.status,
      dataSecretName: key.name,
      initialization: { dataSecretCreated: true },
      observedGeneration: current.metadata.generation,
      conditions: withConditions(
        current.status?.conditions,
        [
          { type: 'Ready', status: 'True', reason: 'Ready' },
          { type: 'DataSecretAvailable', status: 'True', reason: 'Available' },
          { type: 'CertificatesAvailable', status: 'True', reason: 'Available' },
        ],
        current.metadata.generation,
        clock.now(),
      ),
    } as KubeadmConfig['status'],
  }));
};

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const dataSecret = (config: KubeadmConfig, clusterName: string, body: string, format: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    namespace: config.metadata.namespace,
    name: config.metadata.name,
    labels: { [LABEL.clusterName]: clusterName },
    ownerReferences: [controllerReference(config)],
  },
  type: 'cluster.x-k8s.io/secret',
  data: { value: base64(body), format: base64(format) },
});

const withDataSecret = (
  current: Machine,
  name: string | undefined,
  config: KubeadmConfig | null,
  now: Date,
): Machine => {
  const made = config && { ...config, status: { ...config.status, initialization: { dataSecretCreated: true } } };
  const bootstrap = { ...current.spec.bootstrap, ...(name ? { dataSecretName: name } : {}) };
  const next: Machine = { ...current, spec: { ...current.spec, bootstrap } };
  if (made) return withObservation(next, { config: made as KubeadmConfig }, now);
  const provided = { type: 'BootstrapConfigReady', status: 'True', reason: 'DataSecretProvided' } as const;
  const status = {
    ...next.status,
    initialization: { ...next.status?.initialization, bootstrapDataSecretCreated: true },
  };
  const conditions = withConditions(next.status?.conditions, [provided], next.metadata.generation, now);
  return withObservation({ ...next, status: { ...status, conditions } as Machine['status'] }, {}, now);
};
