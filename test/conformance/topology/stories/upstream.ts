/** Stories of the ClusterClasses that upstream publishes. */
import { type Any, type Step, type Story, setVariables, type Target, topologyOf } from '../story.ts';
import { CLASS_NAMESPACE, inAws, objectsOf } from '../upstream-classes.ts';
import { classOf, clusterOf } from './elsewhere.ts';

/** A new group waits for the control plane, which does not come up here. */
const WAITING = 'ClusterUpgrading';

const furtherGroup = (of: Target): Step => ({
  what: 'a further group, and other replicas',
  of,
  reason: WAITING,
  edit: topologyOf(({ workers, controlPlane }) => {
    const [first] = workers.machineDeployments;
    workers.machineDeployments.push({ ...first, name: 'md-1', replicas: 1 });
    first.replicas = 3;
    controlPlane.replicas = 3;
  }),
});

const machineTypes = (of: Target): Step => ({
  what: 'other types of machines',
  of,
  edit: setVariables({ controlPlaneMachineType: 'm5.large', workerMachineType: 'm5.xlarge', sshKeyName: 'other' }),
});

const otherPatch = (of: Target): Step => ({
  what: 'a patch of the class that is dropped',
  of,
  reason: WAITING,
  edit: ({ spec }) => {
    spec.patches = spec.patches.filter(({ name }: Any) => !/worker/i.test(name));
  },
});

interface Told {
  about: string;
  /** The name of the class. */
  of: string;
  templates: string[];
  steps: Step[];
}

const ofAws = (name: string, { about, of, templates, steps }: Told): Story => ({
  name,
  about,
  cluster: name,
  upstream: 'AWS',
  objects: () => objectsOf(name, ...templates),
  steps: [machineTypes(clusterOf(name)), ...steps, furtherGroup(clusterOf(name)), otherPatch(classOf(of))],
});

const awsSimple = ofAws('aws-simple', {
  about: 'simple-clusterclass of the AWS provider',
  of: 'quick-start',
  templates: ['aws/cluster-template-simple-clusterclass.yaml'],
  steps: [],
});

const IDENTITY = { kind: 'AWSClusterRoleIdentity', name: 'another' };

const awsTenants = ofAws('aws-tenants', {
  about: 'multitenancy-clusterclass of the AWS provider',
  of: 'multi-tenancy',
  templates: ['aws/cluster-template-multitenancy-clusterclass.yaml'],
  steps: [
    {
      what: 'another identity, and no bastion',
      of: clusterOf('aws-tenants'),
      edit: setVariables({ bastionEnabled: false, vpcAZUsageLimit: 2, identityRef: IDENTITY }),
    },
  ],
});

const awsCi = ofAws('aws-ci', {
  about: "the class of the AWS provider's end-to-end tests",
  of: 'ci-default',
  templates: ['aws-e2e-class/clusterclass-ci-default.yaml', 'aws-e2e/cluster-template-topology.yaml'],
  steps: [
    {
      what: 'patches that begin to hold',
      of: clusterOf('aws-ci'),
      edit: setVariables({
        selfHosted: 'yes',
        secureSecretsBackend: 'secrets-manager',
        byoInfra: 'true',
        vpcID: 'vpc-1',
        publicSubnetID: 'subnet-1',
        privateSubnetID: 'subnet-2',
        fdForBYOSubnets: 'eu-central-1a',
      }),
    },
    { what: 'a limit of zones', of: clusterOf('aws-ci'), edit: setVariables({ vpcAZUsageLimit: '2' }) },
    { what: 'its end', of: clusterOf('aws-ci'), edit: setVariables({ vpcAZUsageLimit: '' }) },
  ],
});

const awsNested = ofAws('aws-nested', {
  about: "the class of the AWS provider's end-to-end tests for several tenants",
  of: 'multi-tenancy',
  templates: [
    'aws-e2e-class/clusterclass-multi-tenancy.yaml',
    'aws-e2e/cluster-template-nested-multitenancy-clusterclass.yaml',
  ],
  steps: [],
});

const QUICK = clusterOf('quick-start');

const quickStart: Story = {
  name: 'quick-start',
  about: "Cluster API's own quick start for Docker, with AWS in place of Docker",
  cluster: 'quick-start',
  upstream: 'AWS',
  has: ['pools'],
  objects: () =>
    inAws(
      objectsOf('quick-start', 'capi-e2e/clusterclass-quick-start.yaml', 'capi-e2e/cluster-template-topology'),
      CLASS_NAMESPACE,
    ),
  steps: [
    // The infrastructure of the pool is an AWSMachine here, which cannot be changed.
    {
      what: 'the removal of the pool',
      of: QUICK,
      edit: topologyOf(({ workers }) => {
        delete workers.machinePools;
      }),
    },
    {
      what: 'other values of all variables',
      of: QUICK,
      edit: setVariables({
        lbImageRepository: 'registry.example.com',
        etcdImageTag: '3.6.5-0',
        coreDNSImageTag: 'v1.12.1',
        preLoadImages: ['one:latest', 'two:latest'],
        controlPlaneTaint: false,
        externalCloudProvider: true,
        ipv6Primary: true,
        kubeControlPlaneLogLevel: '4',
        kubeletLogLevel: '5',
      }),
    },
    furtherGroup(QUICK),
  ],
};

/**
 * Sets the class as upstream's end-to-end configuration does. The template itself names the class of the quick start.
 */
const withClass = (object: Any, namespace: string): Any => {
  if (object.kind !== 'Cluster') return object;
  const { spec } = object;
  const classRef = { name: 'quick-start-kcp-only', namespace };
  return { ...object, spec: { ...spec, topology: { ...spec.topology, classRef } } };
};

const kcpOnly: Story = {
  name: 'kcp-only',
  about: "Cluster API's quick start without workers",
  cluster: 'kcp-only',
  upstream: 'AWS',
  objects: () => {
    const templates = ['capi-e2e/clusterclass-quick-start-kcp-only', 'capi-e2e/cluster-template-topology-kcp-only'];
    return inAws(objectsOf('kcp-only', ...templates), `${CLASS_NAMESPACE}-kcp-only`).map((object) =>
      withClass(object, `${CLASS_NAMESPACE}-kcp-only`),
    );
  },
  steps: [
    { what: 'a variable', of: clusterOf('kcp-only'), edit: setVariables({ kubeControlPlaneLogLevel: '6' }) },
    {
      what: 'other replicas',
      of: clusterOf('kcp-only'),
      edit: topologyOf(({ controlPlane }) => {
        controlPlane.replicas = 5;
      }),
    },
  ],
};

export const OF_UPSTREAM: readonly Story[] = [quickStart, kcpOnly, awsSimple, awsTenants, awsCi, awsNested];
