import { describe, expect, it } from 'vitest';
import { createTestApi } from '../test-api.ts';

const POOLS = '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default/awsmachinepools';

const created = (annotation: string, value: string, spec: object = {}) =>
  createTestApi().admin.ask('POST', POOLS, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachinePool',
    metadata: { name: 'x', annotations: { [annotation]: value } },
    spec: { minSize: 1, maxSize: 1, awsLaunchTemplate: { instanceType: 't3.large' }, ...spec },
  });

const PROTECTION = 'windlass.dev/scale-in-protection';
const REFRESH = 'windlass.dev/refresh-preferences';
const WARM = 'windlass.dev/warm-pool';

describe('an annotation of an AWSMachinePool', () => {
  it.each([
    [PROTECTION, 'true', /must be Enabled or Disabled/],
    [REFRESH, 'skipMatching', /must be JSON with any of skipMatching/],
    [REFRESH, '{"skipMatching":1}', /skipMatching \(true or false\)/],
    [REFRESH, '{"checkpointDelay":60}', /with checkpointPercentages/],
    [REFRESH, '{"checkpointPercentages":[50,20]}', /ascending/],
    [REFRESH, '{"autoRollback":true}', /must be JSON with any of/],
    [WARM, 'true', /must be JSON with any of minSize/],
    [WARM, '{"poolState":"Hibernated"}', /hibernation .* not supported/],
    [WARM, '{"instanceReusePolicy":{"reuseOnScaleIn":true}}', /reuse policy .* not supported/],
    [WARM, '{"preparationSeconds":5}', /30 to 7200/],
  ])('is refused with an error that names it if it is invalid: %s=%s', async (annotation, value, why) => {
    const { code, body } = await created(annotation, value);
    expect(code).toBe(422);
    expect(body.message).toMatch(why);
    expect(body.message).toContain(`metadata.annotations[${annotation}]`);
  });

  it.each([
    [PROTECTION, 'Disabled'],
    [REFRESH, '{"checkpointPercentages":[20,100],"checkpointDelay":60,"scaleInProtectedInstances":"Wait"}'],
    ['windlass.dev/install-kubernetes', 'true'],
    [WARM, '{}'],
    [WARM, '{"minSize":1,"maxGroupPreparedCapacity":2,"poolState":"Running","preparationSeconds":60}'],
  ])('is stored if it is valid: %s=%s', async (annotation, value) => {
    expect((await created(annotation, value)).code).toBe(201);
  });

  const launch = (change: object) => ({ awsLaunchTemplate: { instanceType: 't3.large', ...change } });
  it.each<[string, object]>([
    ['spec.awsLaunchTemplate.spotMarketOptions', launch({ spotMarketOptions: {} })],
    ['spec.awsLaunchTemplate.marketType', launch({ marketType: 'Spot' })],
    [
      'spec.mixedInstancesPolicy.instancesDistribution.onDemandPercentageAboveBaseCapacity',
      { mixedInstancesPolicy: { instancesDistribution: { onDemandPercentageAboveBaseCapacity: 50 } } },
    ],
    ['spec.minSize', { minSize: 3, maxSize: 4 }],
    [
      'spec.awsLaunchTemplate.instanceMetadataOptions.httpEndpoint',
      launch({ instanceMetadataOptions: { httpEndpoint: 'disabled' } }),
    ],
  ])('cannot request a warm pool together with %s', async (field, spec) => {
    const { code, body } = await created(WARM, '{"maxGroupPreparedCapacity":2}', spec);
    expect(code).toBe(422);
    expect(body.message).toContain(`${field}: Forbidden`);
  });
});
