import { createAccount } from '../../../../infra/local/account.ts';
import { startAws } from '../../../../infra/local/aws.ts';
import { imagesOf } from '../../../../infra/local/engines/ec2/images/images.ts';
import { createDataPlane } from '../../../../infra/local/engines/elbv2/data-plane.ts';
import { systemClock } from '../../../../shared/clock.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { type Ask, askerOf } from '../raw.ts';

/** Starts the laptop's simulated AWS, without machines. */
export const startOurs = async (): Promise<{ ask: Ask; image: string; close: () => Promise<void> }> => {
  const account = createAccount({ clock: systemClock, random: systemRandom });
  const aws = await startAws({ account, dataPlane: createDataPlane(), bindListeners: false });
  const [image] = imagesOf(account.region).keys();
  const { accessKeyId } = account.credentials;
  return { ask: askerOf({ url: aws.url, accessKeyId }), image: image ?? '', close: aws.close };
};
