import type { PartState, Topology, Zone } from '../../describe/topology.ts';
import { State } from './fleet.ts';
import { type Element, html } from './html.ts';
import { objectAddress } from './route.ts';

interface NetworkOptions {
  topology: Topology | undefined;
  namespace: string;
  cluster: string;
}

const Part = ({ state }: { state: PartState }): Element =>
  state === 'unknown' ? null : html`<${State} isGood=${state === 'Ready'}>${state}<//>`;

const Parts = ({ topology: { vpc, loadBalancers } }: { topology: Topology }): Element => html`
  <div class="scroll"><table id="network">
    <thead><tr>${['Part', 'Name', 'Address', 'State'].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
    <tbody>
      <tr>
        <th scope="row">VPC</th>
        <td><code>${vpc.id}</code></td>
        <td>${vpc.cidr}</td>
        <td><${Part} state=${vpc.state} /></td>
      </tr>
      ${loadBalancers.map(
        ({ name, type, scheme, dnsName, state }) => html`
          <tr>
            <th scope="row">Load balancer (${type}, ${scheme})</th>
            <td><code>${name}</code></td>
            <td><code>${dnsName}</code></td>
            <td><${Part} state=${state} /></td>
          </tr>
        `,
      )}
    </tbody>
  </table></div>
`;

const Machines = ({ zone, namespace, cluster }: { zone: Zone } & Omit<NetworkOptions, 'topology'>): Element =>
  html`${zone.machines.map(
    (name) => html`<div><a href=${objectAddress(namespace, cluster, `Machine ${name}`)}>${name}</a></div>`,
  )}`;

const ZoneRow = ({
  zone,
  natGateways,
  ...options
}: { zone: Zone; natGateways: PartState } & Omit<NetworkOptions, 'topology'>): Element => {
  const nat = zone.subnets.flatMap(({ natGateway }) => natGateway || []);
  return html`
    <tr>
      <th scope="row">${zone.zone || 'not known yet'}</th>
      <td>
        ${zone.subnets.map(
          ({ id, cidr, isPublic }) => html`<div>${isPublic ? 'public' : 'private'} <code>${id}</code> ${cidr}</div>`,
        )}
      </td>
      <td>
        ${nat.map((id) => html`<div><code>${id}</code></div>`)}
        ${nat.length > 0 && natGateways === 'not Ready' ? html`<${Part} state=${natGateways} />` : null}
      </td>
      <td><${Machines} zone=${zone} ...${options} /></td>
    </tr>
  `;
};

/** The VPC and the load balancers, and, by zone, the subnets, NAT gateways and machines. */
export const Network = ({ topology, ...options }: NetworkOptions): Element => {
  if (topology === undefined) return null;
  const { region, zones, natGateways } = topology;
  return html`
    <h3>Network${region === '' ? '' : ` in ${region}`}</h3>
    <${Parts} topology=${topology} />
    ${
      zones.length === 0
        ? null
        : html`<div class="scroll"><table id="zones">
            <thead>
              <tr>${['Zone', 'Subnets', 'NAT gateway', 'Machines'].map((title) => html`<th scope="col">${title}</th>`)}</tr>
            </thead>
            <tbody>
              ${zones.map((zone) => html`<${ZoneRow} key=${zone.zone} zone=${zone} natGateways=${natGateways} ...${options} />`)}
            </tbody>
          </table></div>`
    }
  `;
};
