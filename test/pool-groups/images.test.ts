/** A pool keeps its image if its lookup finds none any more. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePoolGroupSteps } from '../../functions/providers/aws/machine-pool/steps.ts';
import { imagesOf } from '../../infra/local/engines/ec2/images/images.ts';
import { MissingReferenceError } from '../../shared/errors.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { silentLog } from '../../shared/log.ts';
import { KEY, type PoolWorld, startPoolWorld } from './world.ts';

const IMAGE = [...imagesOf('us-east-1').values()].find(({ name }) =>
  /^capa-ami-ubuntu-24\.04-v1\.34\.0-/.test(name),
)?.id;
const launchTemplate = (change: object = {}) => ({
  awsLaunchTemplate: { instanceType: 't3.large', imageLookupFormat: 'ssm:/platform/node-image', ...change },
});

let world: PoolWorld;
let parameter: string | undefined;
beforeEach(async () => {
  parameter = IMAGE;
  world = await startPoolWorld(launchTemplate());
});
afterEach(() => world.close());

/** Checks until nothing is left to do, with a parameter that contains the image, or nothing. */
const look = async () => {
  const { dependencies, input } = world;
  const imageId = async (): Promise<string> => {
    if (parameter === undefined) throw new MissingReferenceError('there is no parameter /platform/node-image');
    return parameter;
  };
  const pools: typeof dependencies.pools = (scope) => ({ ...dependencies.pools(scope), imageParameters: { imageId } });
  const steps = makePoolGroupSteps({ ...dependencies, pools });
  for (let looks = 0; looks < 5; looks += 1) {
    await steps.reconcilePool(input, { log: silentLog });
    await world.pass(5);
  }
};
const events = async (): Promise<(string | undefined)[]> =>
  (await world.objects.list(kinds.event, KEY.namespace))
    .filter(({ reason }) => reason === 'ImageNotFound' || reason === 'FailedLaunchTemplateReconcile')
    .map(({ message }) => message);

it('a pool continues with the image that the last lookup found, and reports that', async () => {
  await look();
  parameter = undefined;
  await world.changeInfrastructure(launchTemplate({ sshKeyName: '', rootVolume: { size: 20 } }));
  await look();

  const images = (await world.versions()).map(({ LaunchTemplateData }) => LaunchTemplateData?.ImageId);
  expect(images).toEqual([IMAGE, IMAGE]);
  expect(await events()).toEqual([
    expect.stringMatching(/^there is no parameter .* any more: the previous one, ami-\w+, is launched/),
  ]);
});

it('a pool reports what is missing if no lookup ever found an image', async () => {
  parameter = undefined;
  await look();

  expect(await world.group()).toBeUndefined();
  expect(await events()).toEqual([expect.stringMatching(/^there is no parameter .*; set spec\.ami\.id, or copy/)]);
});
