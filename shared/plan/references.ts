import { isObject } from '../kube-api/json.ts';
import type { KubeObject } from '../kube-api/object.ts';

/** The target of a reference by name, in the namespace of the object that refers to it. */
export interface Referent {
  kind: string;
  name: string;
}

/** Kinds that refer to others in their spec, on the way from a template or a Secret up to the cluster. */
export const REFERRING_KINDS: readonly string[] = [
  'Cluster',
  'KubeadmControlPlane',
  'MachineDeployment',
  'MachinePool',
  'KubeadmConfigTemplate',
  'RKE2ControlPlane',
  'RKE2ConfigTemplate',
];

/** All references in the spec of `object`. */
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

/** References to Secrets have no kind: `contentFrom.secret.name`, `passwdFrom.secret.name`, `dataSecretName`. */
const secretsOf = ({ secret, dataSecretName }: Record<string, unknown>): Referent[] => {
  const names = [dataSecretName, isObject(secret) ? secret.name : undefined];
  return names.flatMap((name) => (typeof name === 'string' ? [{ kind: 'Secret', name }] : []));
};

/** The reference to the class of a Cluster has no kind: `topology.classRef`. The class may be in another namespace. */
const classesOf = ({ classRef }: Record<string, unknown>): Referent[] =>
  isObject(classRef) && typeof classRef.name === 'string' ? [{ kind: 'ClusterClass', name: classRef.name }] : [];

const textOf = ({ kind, name }: Referent): string => `${kind}/${name}`;

/** Whether the spec of an object refers to one of `targets` anywhere. */
export const refersToAny = (targets: readonly Referent[]): ((object: KubeObject) => boolean) => {
  const wanted = new Set(targets.map(textOf));
  return (object) => referentsOf(object).some((referent) => wanted.has(textOf(referent)));
};
