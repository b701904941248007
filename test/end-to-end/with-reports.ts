/** A Service in a cluster that reports changes, without requests for passes and without sweeps. */
import type { TestLaptop } from './laptop.ts';

const NAMESPACE = 'default';
const NAME = 'reported';
const REPORT = 'a cluster reported changes';

type Laptop = Pick<TestLaptop, 'logs' | 'until' | 'workload'>;

/** The number of reports that have led to passes, from the log of the function `changes`. */
const reportsIn = ({ logs }: Laptop): number =>
  logs.filter((line) => line.startsWith('Windlass-changes:') && line.includes(REPORT)).length;

export const liveWithReports = async (laptop: Laptop, cluster: string): Promise<void> => {
  const workload = await laptop.workload(cluster);
  const place = { namespace: NAMESPACE, name: NAME };
  const before = reportsIn(laptop);
  await workload.createNamespacedService({
    namespace: NAMESPACE,
    body: {
      metadata: { name: NAME, annotations: { 'service.beta.kubernetes.io/aws-load-balancer-type': 'nlb' } },
      spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 18_090, nodePort: 31_090 }] },
    },
  });
  await laptop.until('the new Service is reported', async () => reportsIn(laptop) > before);
  await laptop.until('it has its load balancer', async () => {
    const { status } = await workload.readNamespacedService(place);
    return (status?.loadBalancer?.ingress ?? []).length > 0;
  });

  const created = reportsIn(laptop);
  await workload.deleteNamespacedService(place);
  await laptop.until('its end is reported', async () => reportsIn(laptop) > created);
  await laptop.until('it is gone', async () => {
    const { items } = await workload.listNamespacedService({ namespace: NAMESPACE });
    return items.every(({ metadata }) => metadata?.name !== NAME);
  });
};
