import { isDeepStrictEqual } from 'node:util';
import { forbiddenField } from '../../kube-api/field-error.ts';
import type { FieldError, ResourceDefinition } from '../../kube-api/resource.ts';
import { validateSelectorSyntax } from '../rules/kubernetes/label-selector.ts';
import { textColumn } from '../schema/columns.ts';
import { clusterLabelOf } from '../schema/definition-parts.ts';
import { hostKind } from '../schema/host-kind.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type HostMachine, hostMachineSchema } from './schema.ts';

const validate = ({ spec }: HostMachine, old: HostMachine | undefined): FieldError[] => {
  const fixed = old && !isDeepStrictEqual(old.spec.selector, spec.selector);
  return [
    ...validateSelectorSyntax(spec.selector, 'spec.selector'),
    ...(fixed ? [forbiddenField('spec.selector', 'cannot be modified')] : []),
  ];
};

export const hostMachine: ResourceDefinition<HostMachine> = {
  ...hostKind,
  kind: 'HostMachine',
  plural: 'hostmachines',
  singular: 'hostmachine',
  shortNames: [],
  statusSubresource: true,
  get schema() {
    return toOpenApi(hostMachineSchema);
  },
  columns: [
    textColumn(
      'Cluster',
      '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name',
      'Cluster that the HostMachine belongs to',
    ),
    textColumn('Host', '.status.host.name', 'Host that the machine has claimed'),
    textColumn('State', '.status.state', 'What the host does for the machine'),
    textColumn('Ready', '.status.ready', 'Whether the machine is ready'),
    textColumn('Machine', '.metadata.ownerReferences[?(@.kind=="Machine")].name', 'Machine that owns it'),
  ],
  clusterNameOf: clusterLabelOf,
  validate,
};
