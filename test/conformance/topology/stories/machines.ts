/** Settings of a class and a topology for machines: their placement, replacement, health checks and names. */
import { type Any, type Story, topologyOf } from '../story.ts';
import { classOf, clusterOf, look, storyOf } from './elsewhere.ts';

const groupsOf = (edit: (groups: Record<string, Any>) => void) =>
  topologyOf(({ workers }) => edit(Object.fromEntries(workers.machineDeployments.map((one: Any) => [one.name, one]))));

const PLACEMENT = clusterOf('placement');

export const placement: Story = storyOf('placement', {
  about: 'failure domains, taints, gates, timeouts and rollouts, of the class and of the topology',
  refusals: [
    {
      what: 'two taints with one key and effect',
      of: PLACEMENT,
      edit: groupsOf(({ 'of-topology': group }) => group.taints.push(group.taints[0])),
    },
    {
      what: 'a taint of Kubernetes',
      of: PLACEMENT,
      edit: topologyOf(({ controlPlane }) => {
        controlPlane.taints = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule', propagation: 'Always' }];
      }),
    },
    {
      what: 'a surge with a deployment that replaces nothing by itself',
      isAllowed: true,
      of: PLACEMENT,
      edit: groupsOf(({ 'of-topology': group }) => {
        group.rollout.strategy = { type: 'OnDelete', rollingUpdate: { maxSurge: 1 } };
      }),
    },
    {
      what: 'an even number of control planes',
      isAllowed: true,
      of: PLACEMENT,
      edit: topologyOf(({ controlPlane }) => {
        controlPlane.replicas = 2;
      }),
    },
  ],
  steps: [
    {
      what: 'own values for the control plane',
      of: PLACEMENT,
      edit: topologyOf(({ controlPlane }) => {
        controlPlane.readinessGates = [{ conditionType: 'OwnGate' }];
        controlPlane.taints = [{ key: 'example.com/own', effect: 'NoExecute', propagation: 'OnInitialization' }];
        controlPlane.deletion = { nodeVolumeDetachTimeoutSeconds: 0 };
        controlPlane.rollout = { after: '2026-02-01T00:00:00Z' };
      }),
    },
    {
      what: 'the return of a group to the values of its class',
      of: PLACEMENT,
      edit: groupsOf(({ 'of-topology': group }) => {
        for (const field of ['failureDomain', 'minReadySeconds', 'readinessGates', 'taints', 'deletion', 'rollout'])
          delete group[field];
      }),
    },
    {
      what: 'a class that takes values back',
      of: classOf('placement'),
      edit: ({ spec }) => {
        const [spread, plain] = spec.workers.machineDeployments;
        for (const field of ['failureDomain', 'minReadySeconds', 'readinessGates', 'taints', 'rollout'])
          delete spread[field];
        spread.deletion = { order: 'Newest' };
        plain.taints = [{ key: 'example.com/late', effect: 'NoSchedule', propagation: 'Always' }];
        for (const field of ['readinessGates', 'taints', 'deletion']) delete spec.controlPlane[field];
      },
    },
    {
      what: 'another number of replicas',
      of: PLACEMENT,
      edit: topologyOf(({ controlPlane, workers }) => {
        controlPlane.replicas = 5;
        const [first, second, third] = workers.machineDeployments;
        first.replicas = 0;
        second.replicas = 4;
        // Without `replicas`, the group keeps the number that, for example, an autoscaler has set.
        delete third.replicas;
      }),
    },
    {
      what: 'the removal of groups',
      of: PLACEMENT,
      edit: topologyOf(({ workers }) => {
        workers.machineDeployments = workers.machineDeployments.slice(2);
      }),
    },
  ],
});

const CHECKS = clusterOf('checks');
const NODES = [{ type: 'DiskPressure', status: 'True', timeoutSeconds: 1 }];

export const checks: Story = storyOf('checks', {
  about: 'health checks of the control plane and of groups',
  refusals: [
    {
      what: 'a check that is switched on and checks nothing',
      of: CHECKS,
      edit: groupsOf(({ none }) => {
        none.healthCheck = { enabled: true };
      }),
    },
    {
      what: 'two limits at once',
      isAllowed: true,
      of: CHECKS,
      edit: topologyOf(({ controlPlane }) => {
        const triggerIf = { unhealthyInRange: '[1-2]', unhealthyLessThanOrEqualTo: 1 };
        controlPlane.healthCheck = { checks: { unhealthyNodeConditions: NODES }, remediation: { triggerIf } };
      }),
    },
  ],
  steps: [
    {
      what: 'checks of the control plane in place of those of the class',
      of: CHECKS,
      edit: topologyOf(({ controlPlane }) => {
        controlPlane.healthCheck = { enabled: true, checks: { unhealthyNodeConditions: NODES } };
      }),
    },
    {
      what: 'a control plane without a check',
      of: CHECKS,
      edit: topologyOf(({ controlPlane }) => {
        controlPlane.healthCheck = { enabled: false };
      }),
    },
    {
      what: 'other checks of the class',
      of: classOf('checks'),
      edit: ({ spec }) => {
        const [checked, unchecked] = spec.workers.machineDeployments;
        checked.healthCheck.checks = { nodeStartupTimeoutSeconds: 800, unhealthyNodeConditions: NODES };
        checked.healthCheck.remediation = { triggerIf: { unhealthyInRange: '[0-1]' } };
        unchecked.healthCheck = { checks: { unhealthyNodeConditions: NODES } };
      },
    },
    {
      what: 'groups that change their checks',
      of: CHECKS,
      edit: groupsOf((groups) => {
        delete groups['switched-off'].healthCheck;
        delete groups['of-topology'].healthCheck;
        groups['own-limits'].healthCheck.remediation = { maxInFlight: '10%' };
        groups.none.healthCheck = { enabled: false };
        groups['by-template'].healthCheck = {
          checks: { unhealthyMachineConditions: [{ type: 'example.com/Own', status: 'False', timeoutSeconds: 9 }] },
        };
      }),
    },
  ],
});

const LONG = 'a-cluster-with-a-name-of-fifty-characters-in-all';

/** Valid only for a cluster with the name `cluster`, which admission uses to try the template. */
const FAILS_ELSEWHERE = '{{ if eq .cluster.name "cluster" }}name{{ else }}{{ .cluster.uid }}{{ end }}';

export const naming: Story = storyOf('naming', {
  about: 'names by templates, and names that are too long',
  cluster: LONG,
  refusals: [
    {
      what: 'a template without the name of the group',
      isAllowed: true,
      of: classOf('naming'),
      edit: ({ spec }) => {
        spec.workers.machineDeployments[1].naming.template = '{{ .cluster.name }}-{{ .random }}';
      },
    },
    {
      what: 'a template with a field that does not exist',
      of: classOf('naming'),
      edit: ({ spec }) => {
        spec.controlPlane.naming.template = '{{ .cluster.uid }}-{{ .random }}';
      },
    },
    {
      what: 'a template with a function of sprig, which names do not have',
      of: classOf('naming'),
      edit: ({ spec }) => {
        spec.infrastructure.naming.template = '{{ lower .cluster.name }}';
      },
    },
    {
      what: 'a template that does not end',
      of: classOf('naming'),
      edit: ({ spec }) => {
        spec.workers.machineDeployments[0].naming.template = '{{ if .cluster.name }}a';
      },
    },
    {
      what: 'a template that makes no name',
      of: classOf('naming'),
      edit: ({ spec }) => {
        spec.infrastructure.naming.template = 'Of_{{ .cluster.name }}';
      },
    },
  ],
  steps: [
    {
      what: 'other names for what is to come',
      of: classOf('naming'),
      isQuiet: true,
      edit: ({ spec }) => {
        delete spec.controlPlane.naming;
        spec.workers.machineDeployments[2].naming = {
          template: '{{ .random }}-{{ .machineDeployment.topologyName }}-{{ .cluster.name }}',
        };
      },
    },
    {
      what: 'a template that fails with the names of this cluster',
      of: classOf('naming'),
      reason: 'ReconcileFailed',
      edit: ({ spec }) => {
        spec.infrastructure.naming.template = FAILS_ELSEWHERE;
      },
    },
    {
      what: 'the end of that',
      of: classOf('naming'),
      edit: ({ spec }) => {
        delete spec.infrastructure.naming;
      },
    },
    {
      what: 'a group that waits for the control plane',
      of: clusterOf(LONG),
      reason: 'ClusterUpgrading',
      edit: topologyOf(({ workers }) => {
        workers.machineDeployments.push({ class: 'unnamed', name: 'late', replicas: 1 });
      }),
    },
  ],
});

const METADATA = clusterOf('metadata');

export const metadata: Story = storyOf('metadata', {
  about: 'labels and annotations of templates, the class and the topology',
  steps: [
    {
      what: 'labels and annotations that leave the topology',
      of: METADATA,
      edit: topologyOf(({ controlPlane, workers }) => {
        delete controlPlane.metadata;
        const [first, second] = workers.machineDeployments;
        first.metadata = { labels: { of: 'topology-again' } };
        second.metadata = { labels: { of: '' }, annotations: { 'example.com/of': '' } };
      }),
    },
    {
      what: 'labels and annotations that leave the class',
      of: classOf('metadata'),
      edit: ({ spec }) => {
        spec.controlPlane.metadata = { annotations: { 'example.com/late': 'class' } };
        delete spec.workers.machineDeployments[0].metadata;
      },
    },
    {
      what: 'other labels of a template, which replaces nothing',
      of: { plural: 'kubeadmconfigtemplates', name: 'labelled' },
      afterwards: look('metadata'),
      edit: (template) => {
        template.metadata.labels = { of: 'template-again' };
        delete template.metadata.annotations['example.com/of'];
      },
    },
    {
      what: 'other labels inside of a template, which replaces what is made from it',
      of: { plural: 'kubeadmconfigtemplates', name: 'labelled' },
      afterwards: look('metadata'),
      edit: (template) => {
        template.spec.template.metadata = { labels: { inner: 'changed' } };
      },
    },
  ],
});
