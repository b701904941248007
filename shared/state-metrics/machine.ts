import { kinds, type Machine } from '../kinds/index.ts';
import { gauge, info, type Labels, type StateMetrics, secondsOf } from './family.ts';
import { conditions, created, owners, paused, phase } from './recurring-families.ts';

const NOUN = 'machine';

const facts = ({ metadata, spec, status }: Machine): Labels => ({
  bootstrap_reference_kind: spec.bootstrap.configRef?.kind,
  bootstrap_reference_name: spec.bootstrap.configRef?.name,
  container_runtime_version: status?.nodeInfo?.containerRuntimeVersion,
  control_plane_name: metadata.labels?.['cluster.x-k8s.io/control-plane-name'],
  failure_domain: spec.failureDomain,
  infrastructure_reference_kind: spec.infrastructureRef.kind,
  infrastructure_reference_name: spec.infrastructureRef.name,
  kernel_version: status?.nodeInfo?.kernelVersion,
  kube_proxy_version: status?.nodeInfo?.kubeProxyVersion,
  kubelet_version: status?.nodeInfo?.kubeletVersion,
  os_image: status?.nodeInfo?.osImage,
  provider_id: spec.providerID,
  version: spec.version,
});

export const machineMetrics: StateMetrics<Machine> = {
  resource: kinds.machine,
  prefix: 'capi_machine',
  labels: ({ spec }) => ({ cluster_name: spec.clusterName }),
  families: [
    info('addresses', 'The addresses of a machine.', ({ status }) =>
      (status?.addresses ?? []).map(({ type, address }) => ({ type, address })),
    ),
    paused(NOUN),
    created(NOUN),
    info('info', 'The references, the instance, the zone and the versions of a machine.', facts),
    owners(NOUN),
    gauge(
      'status_certificatesexpirydate',
      'When the certificates of a control plane machine expire, in seconds since 1970; 0 where that is not known.',
      ({ status }) => secondsOf(status?.certificatesExpiryDate) ?? 0,
    ),
    ...conditions<Machine>(NOUN),
    info('status_noderef', 'The node of a machine.', ({ status }) => ({ node_name: status?.nodeRef?.name })),
    phase(NOUN, [
      'Pending',
      'Provisioning',
      'Provisioned',
      'Running',
      'Updating',
      'Deleting',
      'Deleted',
      'Failed',
      'Unknown',
    ]),
  ],
};
