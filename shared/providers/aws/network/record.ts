import type { AWSCluster } from '../../../kinds/index.ts';
import type { Found } from './driver.ts';
import { DRIVERS } from './drivers.ts';
import { withIntents } from './intents.ts';
import type { DesiredNetwork, ObservedNetwork } from './model.ts';
import { chooseVpc } from './vpc/choose.ts';

/** Records all ids and the status of the network in upstream's fields. */
export const withNetwork = (awsCluster: AWSCluster, desired: DesiredNetwork, observed: ObservedNetwork): AWSCluster => {
  const choice = chooseVpc(desired, observed.vpcs);
  if (choice.state !== 'ours' && choice.state !== 'unmanaged') return awsCluster;
  const found: Found = { desired, observed, vpc: choice.vpc, isOwn: choice.state === 'ours' };
  return DRIVERS.reduce((written, driver) => driver.record?.(written, found) ?? written, awsCluster);
};

/** The AWSCluster without the intents in `keys`: their resources exist. */
export const withoutIntents = (awsCluster: AWSCluster, keys: readonly string[]): AWSCluster => ({
  ...awsCluster,
  metadata: {
    ...awsCluster.metadata,
    annotations: withIntents(awsCluster.metadata.annotations, Object.fromEntries(keys.map((key) => [key, undefined]))),
  },
});
