import type { BootstrapData } from '../../../shared/bootstrap/bootstrap-data.ts';
import { BootstrapInvalidError, CertificateInvalidError } from '../../../shared/bootstrap/invalid.ts';
import type { BootstrapRequest, Distribution } from '../../../shared/distributions/distribution.ts';
import { MissingReferenceError } from '../../../shared/errors.ts';
import type { BootstrapConfig } from '../../../shared/kinds/contract-objects.ts';
import { kinds, type Machine, type Secret } from '../../../shared/kinds/index.ts';
import type { OwnerReference } from '../../../shared/kube-api/object.ts';
import {
  type BootstrapProblem,
  withBootstrapProblem,
  withDataSecret,
} from '../../../shared/plan/machines/bootstrap-status.ts';
import { withConfiguredAnnotations } from '../../../shared/plan/machines/configured-annotations.ts';
import { controllerReference, withOwner } from '../../../shared/plan/machines/desired.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { withInitializer } from '../../../shared/plan/memory/initializer.ts';
import { withConditions } from '../../../shared/plan/status/conditions.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { type MachineSnapshot, machineKey, readMachine } from '../read-machine.ts';
import { isOwnedByName } from './bootstrap-remains.ts';
import { bootstrapRequest } from './bootstrap-request.ts';
import { dataSecret } from './data-secret.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { bootstrapRecorder } from './reasons.ts';

interface Bootstrap {
  config: BootstrapConfig;
  distribution: Distribution;
}

/**
 * Creates the bootstrap data Secret of a machine. Once a launch is decided, its text is final, because it contains a
 * token and determines how the instance starts. Until then, it follows the configuration, so that a correction takes
 * effect.
 */
export const bootstrapData =
  (deps: MachineObjectsDependencies) =>
  async ({ machine: ref }: MachineInput) => {
    const snapshot = await readMachine(deps.objects, ref);
    if (!snapshot) return {};
    const { machine, config, distribution } = snapshot;
    if (distribution?.isOutside) return takeOver(deps, snapshot, ref);
    const made = config && distribution && (await ensureData(deps, snapshot, { config, distribution }, ref));
    const name = machine.spec.bootstrap.dataSecretName ?? config?.metadata.name;
    const annotations = made ? distribution?.nodeAnnotations?.(made) : undefined;
    const change = (current: Machine) =>
      withConfiguredAnnotations(withProvidedData(current, name, made, deps.clock.now()), annotations);
    // Read again, because the pass that has started this execution also writes the machine's status.
    await deps.objects.mutate(kinds.machine, machineKey(ref), change);
    return {};
  };

/** Takes over data from an external provider: from now on, the Machine names the Secret. */
const takeOver = async (
  { objects, clock }: MachineObjectsDependencies,
  { machine, config }: MachineSnapshot,
  ref: MachineInput['machine'],
): Promise<object> => {
  const name = machine.spec.bootstrap.dataSecretName ?? config?.status?.dataSecretName;
  if (name !== undefined)
    await objects.mutate(kinds.machine, machineKey(ref), (current) =>
      withProvidedData(current, name, config, clock.now()),
    );
  return {};
};

const ensureData = async (
  deps: MachineObjectsDependencies,
  snapshot: MachineSnapshot,
  bootstrap: Bootstrap,
  ref: MachineInput['machine'],
): Promise<BootstrapConfig | undefined> => {
  const { objects, clock } = deps;
  const { config, distribution } = bootstrap;
  const key = { namespace: ref.namespace, name: config.metadata.name };
  const { facts } = snapshot.infrastructureMachine ?? {};
  // Of an instance that was launched elsewhere, only the id is known; it needs no data any more.
  const isTakenOver = facts?.name !== undefined && facts.decidedAt === undefined;
  if (isTakenOver)
    return objects.mutate(distribution.config, key, (current) => withDataSecret(current, key.name, clock.now()));
  const isLaunched = facts?.decidedAt !== undefined;
  const stored = await objects.get(kinds.secret, key);
  if (!stored || (!isLaunched && isOwnedByName(stored, distribution, config))) {
    const { body, format, warnings = [] } = await render(deps, snapshot, bootstrap, ref);
    await recordWarnings(deps, config, warnings);
    const wanted = dataSecret(config, ref.clusterName, body, format);
    const { created } = await objects.ensure(kinds.secret, wanted);
    if (!created) await objects.mutate(kinds.secret, key, (current) => withData(current, wanted, config));
  }
  const change = (current: BootstrapConfig) => withDataSecret(current, key.name, clock.now());
  return objects.mutate(distribution.config, key, change, { from: config });
};

/**
 * The Secret with only its current owner: a former uid of that owner is removed, because the Secret would otherwise be
 * deleted as garbage.
 */
const withData = ({ metadata, ...secret }: Secret, { data }: Secret, config: BootstrapConfig): Secret => {
  const isFormer = ({ kind, name, uid }: OwnerReference): boolean =>
    kind === config.kind && name === config.metadata.name && uid !== config.metadata.uid;
  const others = metadata.ownerReferences?.filter((owner) => !isFormer(owner));
  const ownerReferences = withOwner(others, controllerReference(config));
  return { ...secret, metadata: { ...metadata, ownerReferences }, data };
};

/** Records the initializing machine if the configuration does not distinguish it from those that join. */
const rememberInitializer = async (
  { objects }: MachineObjectsDependencies,
  { distribution, infrastructureCluster }: MachineSnapshot,
  request: BootstrapRequest,
): Promise<void> => {
  if (request.role !== 'init' || !distribution?.initializer || !infrastructureCluster) return;
  const { provider, object } = infrastructureCluster;
  const initializer = distribution.initializer(request);
  const key = { namespace: object.metadata.namespace ?? '', name: object.metadata.name };
  await objects.mutate(provider.cluster, key, (current) => withInitializer(current, initializer), { from: object });
};

/** Renders the data. If that is impossible, reports the reason on the objects before the workflow pauses. */
const render = async (
  deps: MachineObjectsDependencies,
  snapshot: MachineSnapshot,
  bootstrap: Bootstrap,
  ref: MachineInput['machine'],
): Promise<BootstrapData> => {
  const { config, distribution } = bootstrap;
  try {
    const request = await bootstrapRequest(deps, snapshot, config, ref);
    await rememberInitializer(deps, snapshot, request);
    return await distribution.render(request);
  } catch (error) {
    if (error instanceof BootstrapInvalidError || error instanceof MissingReferenceError) {
      await reportProblem(deps, bootstrap, ref, error);
    }
    throw error;
  }
};

const reportProblem = async (
  { objects, clock }: MachineObjectsDependencies,
  { config: { metadata }, distribution }: Bootstrap,
  ref: MachineInput['machine'],
  error: Error,
): Promise<void> => {
  const where = error instanceof CertificateInvalidError ? 'certificates' : 'configuration';
  const problem: BootstrapProblem = { in: where, message: error.message };
  const now = clock.now();
  const key = { namespace: ref.namespace, name: metadata.name };
  const config = await objects.mutate(distribution.config, key, (current) =>
    withBootstrapProblem(current, problem, now),
  );
  if (!config) return;
  await objects.mutate(kinds.machine, machineKey(ref), (current) => withObservation(current, { config }, now));
};

const recordWarnings = async (
  deps: MachineObjectsDependencies,
  config: BootstrapConfig,
  warnings: readonly string[],
): Promise<void> => {
  if (warnings.length === 0) return;
  await bootstrapRecorder(deps).warning(config, 'IgnitionWarnings', warnings.join('; '));
};

const withProvidedData = (
  current: Machine,
  name: string | undefined,
  config: BootstrapConfig | null | undefined,
  now: Date,
): Machine => {
  const bootstrap = { ...current.spec.bootstrap, ...(name ? { dataSecretName: name } : {}) };
  const next: Machine = { ...current, spec: { ...current.spec, bootstrap } };
  if (config) return withObservation(next, { config }, now);
  const provided = { type: 'BootstrapConfigReady', status: 'True', reason: 'DataSecretProvided' } as const;
  const status = {
    ...next.status,
    initialization: { ...next.status?.initialization, bootstrapDataSecretCreated: true },
  };
  const conditions = withConditions(next.status?.conditions, [provided], next.metadata.generation, now);
  return withObservation({ ...next, status: { ...status, conditions } as Machine['status'] }, {}, now);
};
