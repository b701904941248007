import { isObject } from '../kube-api/json.ts';
import type { KubeObject } from '../kube-api/object.ts';

/** What a reference by name leads to, in the namespace of the object that refers. */
export interface Referent {
  kind: string;
  name: string;
}

/** Kinds that name others in their spec, on the way from a template or a secret up to the cluster. */
export const REFERRING_KINDS: readonly string[] = [
  'Cluster',
  'KubeadmControlPlane',
  'MachineDeployment',
  'MachinePool',
  'KubeadmConfigTemplate',
  'RKE2ControlPlane',
  'RKE2ConfigTemplate',
];

/** Everything that the spec of `object` names anywhere. */
export const referentsOf = (object: KubeObject & { spec?: unknown }): Referent[] => {
  const found: Referent[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(item);
    if (!isObject(value)) return;
    const { kind, name } = value;
    if (typeof kind === 'string' && typeof name === 'string') found.push({ kind, name });
    found.push(...secretsOf(value), ...classesOf(value));
    for (const member of Object.values(value)) walk(member);
  };
  walk(object.spec);
  return found;
};

/** Secrets are named without their kind: `contentFrom.secret.name`, `passwdFrom.secret.name`, `dataSecretName`. */
const secretsOf = ({ secret, dataSecretName }: Record<string, unknown>): Referent[] => {
  const names = [dataSecretName, isObject(secret) ? secret.name : undefined];
  return names.flatMap((name) => (typeof name === 'string' ? [{ kind: 'Secret', name }] : []));
};

/** The class of a Cluster is named without its kind: `topology.classRef`. It may be in another namespace. */
const classesOf = ({ classRef }: Record<string, unknown>): Referent[] =>
  isObject(classRef) && typeof classRef.name === 'string' ? [{ kind: 'ClusterClass', name: classRef.name }] : [];

/** Whether the spec of `object` names `target` anywhere. */
export const refersTo = (object: KubeObject, target: Referent): boolean =>
  referentsOf(object).some(({ kind, name }) => kind === target.kind && name === target.name);
