import { invalidValue } from '../../kube-api/field-error.ts';
import { checkQualifiedName } from '../../kube-api/names.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { Namespace } from './schema.ts';

const UNQUALIFIED = 'name is neither a standard finalizer name nor is it fully qualified';

const faultsOf = (name: string): string[] => [
  ...checkQualifiedName(name),
  ...(name === 'kubernetes' || name.includes('/') ? [] : [UNQUALIFIED]),
];

const phaseErrors = ({ metadata, status }: Namespace): FieldError[] => {
  const [phase, when] = metadata.deletionTimestamp ? ['Terminating', 'is not'] : ['Active', 'is'];
  const detail = `may only be '${phase}' if \`deletionTimestamp\` ${when} empty`;
  // The field has this spelling in upstream.
  return status?.phase === phase ? [] : [invalidValue('status.Phase', status?.phase, detail)];
};

/** The errors of a namespace: its phase only says whether it is being deleted. */
export const validateNamespace = (namespace: Namespace, old: Namespace | undefined): FieldError[] => [
  ...(namespace.spec?.finalizers ?? []).flatMap((name) =>
    faultsOf(name).map((fault) => invalidValue('spec.finalizers', name, fault)),
  ),
  ...(old ? phaseErrors(namespace) : []),
];
