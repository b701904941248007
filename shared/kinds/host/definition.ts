import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { hostKind } from '../schema/host-kind.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { hostColumns } from './columns.ts';
import { type Host, hostSchema } from './schema.ts';
import { validateHost } from './validate.ts';

const SSH_PORT = 22;

/** A host belongs to no cluster: machines of any cluster in its namespace may claim it, one after the other. */
export const host: ResourceDefinition<Host> = {
  ...hostKind,
  kind: 'Host',
  plural: 'hosts',
  singular: 'host',
  shortNames: [],
  statusSubresource: true,
  get schema() {
    return toOpenApi(hostSchema);
  },
  columns: hostColumns,
  clusterNameOf: () => undefined,
  default: (object) => ({
    ...object,
    spec: { ...object.spec, port: object.spec.port ?? SSH_PORT, user: object.spec.user ?? 'root' },
  }),
  validate: validateHost,
};
