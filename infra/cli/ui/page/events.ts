import type { Event } from '../../../../shared/kinds/index.ts';
import { ageOf } from '../../describe/age.ts';
import { lastSeen } from '../../describe/objects.ts';
import { type Element, html } from './html.ts';

const SHOWN = 50;

const Line = ({ event, now }: { event: Event; now: Date }): Element => {
  const { type, reason, message, count = 1, involvedObject } = event;
  return html`
    <tr>
      <td>${ageOf(lastSeen(event), now)}</td>
      <td class=${type === 'Warning' ? 'bad' : ''}>${type}</td>
      <td>${reason}</td>
      <td>${involvedObject?.kind} ${involvedObject?.name}</td>
      <td class="message">${message}${(count ?? 1) > 1 ? ` (${count} times)` : ''}</td>
    </tr>
  `;
};

/** The last events of a cluster's objects, newest first. */
export const Events = ({ events, now }: { events: readonly Event[]; now: Date }): Element => {
  const shown = events.slice(-SHOWN).reverse();
  const titles = ['Ago', 'Type', 'Reason', 'Object', 'Message'];
  return html`
    <h3>Events</h3>
    ${events.length > SHOWN ? html`<p class="dim">The last ${SHOWN} of ${events.length}.</p>` : null}
    ${
      shown.length === 0
        ? html`<p>There are none.</p>`
        : html`<div class="scroll"><table>
            <thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
            <tbody>${shown.map((event) => html`<${Line} key=${event.metadata.uid} event=${event} now=${now} />`)}</tbody>
          </table></div>`
    }
  `;
};
