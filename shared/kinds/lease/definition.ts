import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { ageColumn, textColumn } from '../schema/columns.ts';
import { coreKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type Lease, leaseSchema } from './schema.ts';
import { validateLease, withoutCoordination } from './validate.ts';

export const lease: ResourceDefinition<Lease> = {
  ...coreKind,
  group: 'coordination.k8s.io',
  kind: 'Lease',
  plural: 'leases',
  singular: 'lease',
  shortNames: [],
  get schema() {
    return toOpenApi(leaseSchema);
  },
  columns: [textColumn('Holder', '.spec.holderIdentity', 'Who holds the lease'), ageColumn('Lease')],
  createdByUpdate: true,
  versionRequired: true,
  withoutGeneration: true,
  zero: { spec: {} },
  decide: withoutCoordination,
  validate: validateLease,
};
