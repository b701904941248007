import { DescribeLoadBalancersCommand, ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { liveWithReports } from '../../end-to-end/with-reports.ts';
import { liveWithRoutes } from '../../end-to-end/with-routes.ts';
import { liveWithServices } from '../../end-to-end/with-services.ts';

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

const balancers = async (): Promise<string[]> => {
  const { region, awsUrl: endpoint, credentials } = laptop.access;
  const elbv2 = new ElasticLoadBalancingV2Client({ region, endpoint, credentials });
  try {
    const { LoadBalancers = [] } = await elbv2.send(new DescribeLoadBalancersCommand({}));
    return LoadBalancers.map(({ LoadBalancerName = '' }) => LoadBalancerName);
  } finally {
    elbv2.destroy();
  }
};

// The tests run in order: each continues where the previous one ended.
describe('the example with a Service of type LoadBalancer', { timeout: LIMIT }, () => {
  it('gets an address for its Service', async () => {
    expect(await laptop.applyFile('examples/load-balancer-services.yaml')).toEqual([]);

    await laptop.until('the cluster says so', async () => {
      const { conditions = [] } = (await laptop.cluster('services'))?.status ?? {};
      const condition = conditions.find(({ type }) => type === 'windlass.dev/ServicesBalanced');
      return condition?.status === 'True' && condition.message === '1 Services have load balancers';
    });

    const workload = await laptop.workload('services');
    const { status } = await workload.readNamespacedService({ namespace: 'default', name: 'web' });
    expect(status?.loadBalancer?.ingress).toHaveLength(1);
  });

  it('serves another Service as soon as the cluster reports it', () => liveWithReports(laptop, 'services'));

  it('follows the changes of another Service until it is deleted', async () => {
    await liveWithServices(laptop, 'services');

    expect((await balancers()).filter((name) => name.startsWith('a'))).toHaveLength(1);
  });

  it('also gets routes to the pods of its nodes', () => liveWithRoutes(laptop, 'services'));

  it('leaves nothing when the cluster is deleted', async () => {
    await laptop.api.send('DELETE', `${CORE}/clusters/services`);

    await laptop.until('the cluster is gone', async () => (await laptop.cluster('services')) === undefined);
    expect(await balancers()).toEqual([]);
  });
});
