import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { ageOf } from '../../describe/age.ts';
import { type AnyCondition, conditionsOf, isGood } from '../../describe/conditions.ts';
import { State } from './fleet.ts';
import { type Element, html } from './html.ts';

const WORDS: Readonly<Record<string, string>> = { True: 'yes', False: 'no', Unknown: 'not known' };

/** `InfrastructureReady` becomes `Infrastructure ready`; abbreviations are kept. */
export const inWords = (type: string): string =>
  type
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/ ([A-Z])(?=[a-z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`);

const Line = ({ condition, now }: { condition: AnyCondition; now: Date }): Element => {
  const { type, status, reason = '', message = '', lastTransitionTime } = condition;
  return html`
    <tr>
      <th scope="row" title=${type}>${inWords(type)}</th>
      <td><${State} isGood=${isGood(condition)}>${WORDS[status] ?? status}<//></td>
      <td>${lastTransitionTime ? ageOf(lastTransitionTime, now) : ''}</td>
      <td>${reason === type ? '' : reason}</td>
      <td class="message">${message}</td>
    </tr>
  `;
};

/**
 * The conditions of an object as text. The sign shows whether each has the value that is normal for a healthy object.
 */
export const Conditions = ({ object, now }: { object: KubeObject; now: Date }): Element => {
  const conditions = conditionsOf(object);
  const titles = ['Condition', 'Status', 'For', 'Reason', 'Message'];
  return html`
    <h3>Conditions of ${object.kind} ${object.metadata.name}</h3>
    ${
      conditions.length === 0
        ? html`<p>It has none.</p>`
        : html`<div class="scroll"><table>
            <thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
            <tbody>${conditions.map((one) => html`<${Line} key=${one.type} condition=${one} now=${now} />`)}</tbody>
          </table></div>`
    }
  `;
};
