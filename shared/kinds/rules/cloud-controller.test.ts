import { describe, expect, it } from 'vitest';
import { balancesServices, routesPods, validateCloudController } from './cloud-controller.ts';

const clusterWith = (value: string | undefined) => ({
  metadata: {
    name: 'red',
    ...(value === undefined ? {} : { annotations: { 'windlass.dev/cloud-controller': value } }),
  },
});

describe('the duties of a cloud controller manager', () => {
  it.each([
    [undefined, false, false],
    ['Services', true, false],
    ['Routes', false, true],
    ['Services,Routes', true, true],
    ['Routes, Services', true, true],
  ])('are read from the annotation %j', (value, services, routes) => {
    const cluster = clusterWith(value);
    expect([balancesServices(cluster), routesPods(cluster)]).toEqual([services, routes]);
    expect(validateCloudController(cluster)).toEqual([]);
  });

  it.each(['', 'Nodes', 'services', 'Services,', 'Routes,Routes', 'Services Routes'])(
    'are refused for the annotation %j',
    (value) => {
      expect(validateCloudController(clusterWith(value))).toMatchObject([
        {
          field: 'metadata.annotations[windlass.dev/cloud-controller]',
          detail: 'must be Services, Routes, or both with a comma between them',
        },
      ]);
    },
  );
});
