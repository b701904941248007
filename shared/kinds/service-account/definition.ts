import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { ageColumn } from '../schema/columns.ts';
import { coreKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type ServiceAccount, serviceAccountSchema } from './schema.ts';

/** As in upstream, an account only keeps the names of its secrets. */
const namesOfSecrets = (account: ServiceAccount): ServiceAccount =>
  account.secrets ? { ...account, secrets: account.secrets.map(({ name }) => (name ? { name } : {})) } : account;

const ENFORCES = 'kubernetes.io/enforce-mountable-secrets';

const warnings = ({ metadata }: ServiceAccount, old: ServiceAccount | undefined): string[] =>
  metadata.annotations?.[ENFORCES] === undefined || old?.metadata.annotations?.[ENFORCES] !== undefined
    ? []
    : [
        `metadata.annotations[${ENFORCES}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
      ];

export const serviceAccount: ResourceDefinition<ServiceAccount> = {
  ...coreKind,
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  singular: 'serviceaccount',
  shortNames: ['sa'],
  get schema() {
    return toOpenApi(serviceAccountSchema);
  },
  columns: [ageColumn('ServiceAccount')],
  returnsDeleted: true,
  decide: namesOfSecrets,
  warnings,
};
