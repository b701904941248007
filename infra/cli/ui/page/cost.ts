import type { CostEstimate } from '../../../../shared/providers/aws/plan/cost/estimate.ts';
import { costNotes, costText, ownCostNote } from '../../describe/cost.ts';
import { type Element, html } from './html.ts';

/** The monthly cost of a cluster by kinds of resources; nothing if the cluster is not on AWS. */
export const Cost = ({ cost }: { cost: CostEstimate | undefined }): Element =>
  cost === undefined
    ? null
    : html`
        <h3>Cost per month: ${costText(cost)}</h3>
        <div class="scroll"><table id="cost">
          <thead><tr><th scope="col">Item</th><th scope="col">Number</th><th scope="col">USD</th></tr></thead>
          <tbody>
            ${cost.lines.map(
              ({ item, quantity, usdPerMonth, unknown }) => html`
                <tr key=${`${item} ${unknown}`}>
                  <th scope="row">${item}</th>
                  <td class="number">${quantity}</td>
                  <td class="number">${usdPerMonth === undefined ? `not counted: ${unknown}` : usdPerMonth.toFixed(2)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table></div>
        <p class="dim">${[...costNotes(cost), ownCostNote(cost.own)].join(' ')}</p>
      `;
