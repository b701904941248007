import type { KindTexts } from '../../kube-api/schema/field-texts.ts';

export const rancherClusterTexts = {
  text: "A cluster on existing hosts, described by RKE's cluster.yml and created with RKE2.",
  fields: {
    spec: [
      'The configuration of the cluster.',
      {
        config:
          'Content of a cluster.yml. A node has address, port, user, role (controlplane and etcd, worker, or all three) and ssh_key_path, which names a Secret as namespace/name.',
        configPath: 'Path of a cluster.yml. Refused: files are not read.',
      },
    ],
    status: [
      'How far the cluster is. Written by the controllers.',
      {
        appliedConfig: 'The configuration that the cluster has: spec.config when the cluster was last Provisioned.',
        namespace: 'Namespace with the objects of the cluster, which belongs to this Cluster alone.',
        observedGeneration: 'Generation of the Cluster that the conditions are about.',
        conditions: [
          'Provisioned says whether all nodes of the configuration run, and Ready whether the API server answers.',
          {
            type: 'Aspect that the condition is about. Unique within the list.',
            status: 'Whether the condition holds: True, False or Unknown.',
            lastTransitionTime: 'When the status last changed, in RFC 3339 form.',
            lastUpdateTime: 'When anything of the condition last changed, in RFC 3339 form.',
            reason: 'CamelCase code for the cause, meant for programs.',
            message: 'The cause in words, which begin with the field that is to be corrected.',
            observedGeneration: 'Generation of the Cluster that the condition is about.',
          },
        ],
      },
    ],
  },
} satisfies KindTexts;
