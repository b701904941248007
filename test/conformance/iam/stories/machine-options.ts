/** Additional settings for the machines of the recorded clusters. */
import { addKey } from '../../../../infra/local/engines/kms/state.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { INFRASTRUCTURE } from '../../../end-to-end/laptop.ts';
import type { RecordedLaptop } from '../recording.ts';
import { MERGE, sweep } from './story.ts';

const POOL = { id: 'ipv4pool-ec2-0123456789abcdef0', cidr: '203.0.113.0/28' };

/** The account's default key for the encryption of volumes. */
export const OWN_KEY = 'arn:aws:kms:us-east-1:000000000000:key/11111111-2222-3333-4444-555555555555';

/** An address from a pool of the user. */
export const OF_POOL = {
  publicIP: true,
  elasticIpPool: { publicIpv4Pool: POOL.id, publicIpv4PoolFallbackOrder: 'none' },
};

/** A Dedicated Host for each machine. */
const ON_HOST = { tenancy: 'host', hostAffinity: 'host', dynamicHostAllocation: {} };

/** Puts workers on Dedicated Hosts. */
export const onHosts = (object: KubeObject): KubeObject => {
  if (object.kind !== 'AWSMachineTemplate' || object.metadata.name.includes('control-plane')) return object;
  const { template } = (object as unknown as { spec: { template: { spec: object } } }).spec;
  return { ...object, spec: { template: { ...template, spec: { ...template.spec, ...ON_HOST } } } } as KubeObject;
};

/** Creates the key. Its policy lets everyone in the account use it, including Auto Scaling's own role. */
const provideKey = (account: RecordedLaptop['account']): void => {
  const kms = account.kms();
  const id = OWN_KEY.split('/').at(-1) ?? '';
  kms.keys.set(id, { ...addKey(kms, 'of volumes'), id, arn: OWN_KEY });
  const statement = { Effect: 'Allow', Principal: { AWS: '*' }, Action: 'kms:*', Resource: '*' };
  kms.policies.set(id, JSON.stringify({ Version: '2012-10-17', Statement: [statement] }));
};

/** Creates the user's resources in the account before the clusters. */
export const provide = ({ account }: RecordedLaptop): void => {
  account.settings.publicIpv4Pools.push(POOL);
  provideKey(account);
  account.settings.defaultVolumeKey = OWN_KEY;
};

/** Adds a tag to a machine whose instance is running, and removes it. */
export const retag = async (laptop: RecordedLaptop): Promise<void> => {
  const [machine] = await laptop.machines('spot');
  const path = `${INFRASTRUCTURE}/awsmachines/${machine?.spec.infrastructureRef.name}`;
  for (const team of ['blue', null]) {
    const spec = { additionalTags: { team } };
    await laptop.api.send('PATCH', path, { spec }, MERGE);
    await sweep(laptop);
  }
};
