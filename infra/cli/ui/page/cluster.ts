/** One cluster: its problems first, then its tree, network, cost, timeline, conditions and events. */
import { useEffect } from 'preact/hooks';
import type { PriceList } from '../../../../shared/providers/aws/plan/cost/prices.ts';
import { costOf } from '../../describe/cost.ts';
import type { ClusterObjects } from '../../describe/objects.ts';
import { problemsOf } from '../../describe/problems.ts';
import { treeOf } from '../../describe/rows.ts';
import { topologyOf } from '../../describe/topology.ts';
import { Conditions } from './conditions.ts';
import { Cost } from './cost.ts';
import { Events } from './events.ts';
import { State } from './fleet.ts';
import { type Element, html } from './html.ts';
import { useCluster } from './live.ts';
import { Network } from './network.ts';
import { Problem } from './notices.ts';
import { ObjectView } from './object.ts';
import { findObject } from './objects-of.ts';
import { Problems } from './problems.ts';
import { clusterAddress, FLEET, type Route } from './route.ts';
import { Timeline } from './timeline-chart.ts';
import { Tree } from './tree.ts';

type ClusterRoute = Exclude<Route, { view: 'fleet' }>;

interface ViewOptions {
  route: ClusterRoute;
  canWrite: boolean;
  prices: readonly PriceList[];
  now: Date;
}

const Overview = ({
  objects,
  prices,
  now,
}: Pick<ViewOptions, 'prices' | 'now'> & { objects: ClusterObjects }): Element => {
  const { cluster, machines, events } = objects;
  const problems = problemsOf(objects);
  const tree = treeOf(objects);
  const { namespace = '', name } = cluster.metadata;
  const { host, port } = cluster.spec.controlPlaneEndpoint ?? {};
  const word = problems.length === 1 ? 'problem or wait' : 'problems or waits';
  return html`
    <h2>Cluster ${name}</h2>
    <ul class="facts">
      <li><${State} isGood=${tree.isGood}>${tree.state}<//></li>
      <li>namespace ${namespace}</li>
      ${host ? html`<li><code>https://${host}:${port}</code></li>` : null}
    </ul>
    <p class="hidden" role="status" aria-live="polite">${tree.state}, ${problems.length} ${word}</p>
    <${Problems} problems=${problems} cluster=${name} namespace=${namespace} now=${now} />
    <${Tree} tree=${tree} cluster=${name} namespace=${namespace} now=${now} />
    <${Network} topology=${topologyOf(objects)} cluster=${name} namespace=${namespace} />
    <${Cost} cost=${costOf(objects, prices)} />
    <${Timeline} machines=${machines} now=${now} />
    <${Conditions} object=${cluster} now=${now} />
    <${Events} events=${events} now=${now} />
  `;
};

const Crumbs = ({ route }: { route: ClusterRoute }): Element => html`
  <nav aria-label="Position">
    <a href=${FLEET}>Clusters</a>${
      route.view === 'object' ? html` / <a href=${clusterAddress(route.namespace, route.name)}>${route.name}</a>` : null
    }
  </nav>
`;

const Content = ({ route, objects, canWrite, prices, now }: ViewOptions & { objects: ClusterObjects }): Element => {
  if (route.view === 'cluster') return html`<${Overview} objects=${objects} prices=${prices} now=${now} />`;
  const object = findObject(objects, route.kind, route.object);
  return object === undefined
    ? html`<p>The cluster has no ${route.kind} ${route.object}.</p>`
    : html`<${ObjectView} key=${object.metadata.uid} object=${object} canWrite=${canWrite} now=${now} />`;
};

export const ClusterView = (options: ViewOptions): Element => {
  const { route } = options;
  const { value, problem } = useCluster(route.namespace, route.name);
  useEffect(() => {
    document.title = `${route.view === 'object' ? `${route.kind} ${route.object}` : route.name} - Windlass`;
  }, [route]);
  return html`
    <${Crumbs} route=${route} />
    <${Problem} text=${problem} />
    ${value === undefined && problem === undefined ? html`<p role="status">Reading the cluster...</p>` : null}
    ${value === null ? html`<p role="status">There is no Cluster ${route.name} in namespace ${route.namespace}.</p>` : null}
    ${value ? html`<${Content} ...${options} objects=${value} />` : null}
  `;
};
