/** Machines with every kind of placement and bootstrap data, which are deleted before they have joined. */
import { DescribeImagesCommand } from '@aws-sdk/client-ec2';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { AWSMachine } from '../../../../shared/kinds/index.ts';
import { CORE, INFRASTRUCTURE } from '../../../end-to-end/laptop.ts';
import type { RecordedLaptop } from '../recording.ts';
import { awsClusterOf, MERGE, makeInfrastructure, remove, SECRETS, type Story, until } from './story.ts';

const NAME = 'machines';
const RESERVATION = 'cr-0123456789abcdef0';
const GROUP = 'near-each-other';
/** Parameters with the id of a user's own image, and with that of an image of Ubuntu's publisher. */
const OWN_PARAMETER = '/cluster.x-k8s.io/images/node';
const PUBLIC_PARAMETER = '/aws/service/canonical/ubuntu/server/24.04/stable/current/{{.Arch}}/hvm/ebs-gp3/ami-id';

type Spec = Partial<AWSMachine['spec']>;

const specsOf = (vpcId: string): Readonly<Record<string, Spec>> => ({
  // The bootstrap data is in the bucket.
  'machines-ignition': { ignition: { version: '3.4' }, imageLookupBaseOS: 'flatcar-stable', placementGroupName: GROUP },
  // The bootstrap data is in Secrets Manager.
  'machines-cloud-init': {
    imageLookupFormat: `ssm:${OWN_PARAMETER}`,
    capacityReservationId: RESERVATION,
    subnet: {
      filters: [
        { name: 'vpc-id', values: [vpcId] },
        { name: 'tag:Name', values: [`${NAME}-subnet-private-*`] },
      ],
    },
    additionalSecurityGroups: [{ filters: [{ name: 'group-name', values: [`${NAME}-lb`] }] }],
  },
  // The bootstrap data is in Parameter Store.
  'machines-parameter': {
    imageLookupFormat: `ssm:${PUBLIC_PARAMETER}`,
    cloudInit: { secureSecretsBackend: 'ssm-parameter-store' },
  },
});

const keepPlaces = async ({ account: { settings }, access, ec2 }: RecordedLaptop): Promise<void> => {
  const { Images = [] } = await ec2.send(new DescribeImagesCommand({}));
  settings.placementGroups = [{ name: GROUP }];
  settings.capacityReservations.push({ id: RESERVATION, instanceType: 't3.large', available: 1 });
  const ssm = new SSMClient({ region: access.region, endpoint: access.awsUrl, credentials: access.credentials });
  await ssm.send(new PutParameterCommand({ Name: OWN_PARAMETER, Value: Images[0]?.ImageId, Type: 'String' }));
  ssm.destroy();
};

/** Bootstrap data with which no machine joins. */
const dataOf = (format: string) => ({
  format,
  value: format === 'ignition' ? '{"ignition":{"version":"3.4.0"}}' : '#cloud-config\n',
});

const metadataOf = (name: string, clusterName: string) => {
  return { name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': clusterName } };
};

interface Written {
  spec: Spec;
  bootstrap: object;
  clusterName: string;
  /** The annotations of the AWSMachine. */
  annotations?: Readonly<Record<string, string>>;
}

/** Creates a machine as a user would, without a MachineSet. */
const write = async (
  laptop: RecordedLaptop,
  name: string,
  { spec, bootstrap, clusterName, annotations }: Written,
): Promise<void> => {
  const metadata = metadataOf(name, clusterName);
  await laptop.api.send('POST', `${INFRASTRUCTURE}/awsmachines`, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata: { ...metadata, annotations },
    spec: { instanceType: 't3.large', sshKeyName: '', ...spec },
  });
  await laptop.api.send('POST', `${CORE}/machines`, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata,
    spec: {
      clusterName,
      version: 'v1.34.0',
      bootstrap,
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name },
    },
  });
};

/** Launches a machine of a cluster with bootstrap data with which it does not join. */
export const launch = async (laptop: RecordedLaptop, name: string, spec: Spec, clusterName = NAME): Promise<void> => {
  const metadata = metadataOf(name, clusterName);
  const stringData = dataOf(spec.ignition ? 'ignition' : 'cloud-config');
  await laptop.api.send('POST', SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, stringData });
  await write(laptop, name, { spec, bootstrap: { dataSecretName: name }, clusterName });
};

/**
 * A machine that waits for its configuration. Its AWSMachine is paused until the machine is deleted, so that it gets no
 * finalizer.
 */
const WAITING = 'machines-waiting';
const PAUSED = 'cluster.x-k8s.io/paused';
const ABSENT = { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'absent' } };

/** Whether the instances of the machines are running. */
export const launched = async (laptop: RecordedLaptop, names: readonly string[]): Promise<boolean> => {
  const found = await Promise.all(names.map((name) => laptop.get<AWSMachine>(`${INFRASTRUCTURE}/awsmachines/${name}`)));
  return found.every((one) => one?.status?.instanceState === 'running');
};

const placed: Story = {
  name: NAME,
  run: async (laptop) => {
    await makeInfrastructure(laptop, NAME, {
      s3Bucket: { name: 'cluster-api-provider-aws-machines', presignedURLDuration: '1h' },
    });
    const vpcId = (await awsClusterOf(laptop, NAME)).spec.network?.vpc?.id ?? '';
    await keepPlaces(laptop);
    const specs = specsOf(vpcId);
    const annotations = { [PAUSED]: '' };
    await write(laptop, WAITING, { spec: {}, bootstrap: ABSENT, clusterName: NAME, annotations });
    for (const [name, spec] of Object.entries(specs)) await launch(laptop, name, spec);
    const names = Object.keys(specs);
    await until(laptop, NAME, 'all machines are launched', () => launched(laptop, names));
    // The machine uses a URL that the function has signed.
    const hasFetched = async () => laptop.calls.some(({ operation }) => operation === 'GetObject');
    await until(laptop, NAME, 'a machine has fetched its data', hasFetched);
    for (const name of [WAITING, ...names]) await laptop.api.send('DELETE', `${CORE}/machines/${name}`);
    const unpaused = { metadata: { annotations: { [PAUSED]: null } } };
    await laptop.api.send('PATCH', `${INFRASTRUCTURE}/awsmachines/${WAITING}`, unpaused, MERGE);
    await until(laptop, NAME, 'no machine is left', async () => (await laptop.machines(NAME)).length === 0);
    await remove(laptop, NAME);
    for (const name of names) await laptop.api.send('DELETE', `${SECRETS}/${name}`);
  },
};

export const MACHINE_STORIES: readonly Story[] = [placed];
