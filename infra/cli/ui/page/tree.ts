import { ageOf } from '../../describe/age.ts';
import type { Row } from '../../describe/rows.ts';
import { type Placed, place } from '../../progress/strokes.ts';
import { State } from './fleet.ts';
import { type Element, html } from './html.ts';
import { objectAddress } from './route.ts';

interface TreeOptions {
  tree: Row;
  namespace: string;
  cluster: string;
  now: Date;
}

const COLUMNS = ['Object', 'State', 'Version', 'Zone', 'Instance', 'Node', 'Age'];

const levelOf = (strokes: string): number => strokes.length / 3 + 1;

const Line = ({ placed, namespace, cluster, now }: Omit<TreeOptions, 'tree'> & { placed: Placed<Row> }): Element => {
  const { node: row, strokes } = placed;
  return html`
    <tr>
      <th scope="row">
        <span class="strokes" aria-hidden="true">${strokes}</span>
        <span class="hidden">Level ${levelOf(strokes)}:${' '}</span>
        <a href=${objectAddress(namespace, cluster, row.object)}>${row.object}</a>
      </th>
      <td><${State} isGood=${row.isGood}>${row.state}<//></td>
      <td>${row.version}</td>
      <td>${row.zone}</td>
      <td><code>${row.instance}</code></td>
      <td>${row.node}</td>
      <td>${row.created === '' ? '' : ageOf(row.created, now)}</td>
    </tr>
  `;
};

/** The cluster and everything that belongs to it, as a table whose first column draws the branches of the tree. */
export const Tree = ({ tree, ...options }: TreeOptions): Element => html`
  <h3>Objects</h3>
  <div class="scroll">
    <table id="tree">
      <thead><tr>${COLUMNS.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>
        ${place(tree).map((placed) => html`<${Line} key=${placed.node.object} placed=${placed} ...${options} />`)}
      </tbody>
    </table>
  </div>
`;
