import { describe, expect, it } from 'vitest';
import { createTestApi } from './test-api.ts';

const POOLS = '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default/awsmachinepools';

const created = (annotation: string, value: string) =>
  createTestApi().admin.ask('POST', POOLS, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachinePool',
    metadata: { name: 'x', annotations: { [annotation]: value } },
    spec: { minSize: 1, maxSize: 1, awsLaunchTemplate: { instanceType: 't3.large' } },
  });

const PROTECTION = 'windlass.dev/scale-in-protection';
const REFRESH = 'windlass.dev/refresh-preferences';

describe('an annotation of an AWSMachinePool', () => {
  it.each([
    [PROTECTION, 'true', /must be Enabled or Disabled/],
    [REFRESH, 'skipMatching', /must be JSON with any of skipMatching/],
    [REFRESH, '{"skipMatching":1}', /skipMatching \(true or false\)/],
    [REFRESH, '{"checkpointDelay":60}', /with checkpointPercentages/],
    [REFRESH, '{"checkpointPercentages":[50,20]}', /ascending/],
    [REFRESH, '{"autoRollback":true}', /must be JSON with any of/],
  ])('that is invalid is refused by name: %s=%s', async (annotation, value, why) => {
    const { code, body } = await created(annotation, value);
    expect(code).toBe(422);
    expect(body.message).toMatch(why);
    expect(body.message).toContain(`metadata.annotations[${annotation}]`);
  });

  it.each([
    [PROTECTION, 'Disabled'],
    [REFRESH, '{"checkpointPercentages":[20,100],"checkpointDelay":60,"scaleInProtectedInstances":"Wait"}'],
    ['windlass.dev/install-kubernetes', 'true'],
  ])('is stored if it is valid: %s=%s', async (annotation, value) => {
    expect((await created(annotation, value)).code).toBe(201);
  });
});
