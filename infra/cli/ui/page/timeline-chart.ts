/**
 * The timeline as bars. They are only rectangles, for which a chart library would be larger than the rest of the page.
 */
import type { Machine } from '../../../../shared/kinds/index.ts';
import { ageOf } from '../../describe/age.ts';
import { type Element, html } from './html.ts';
import { type Bar, barsOf, DELETING, type Segment, STEPS, spanOf } from './timeline.ts';

/** The width of the drawing in its own units. */
const WIDTH = 1000;

/** Narrower segments would not be visible. */
const LEAST = 4;

const TITLES: readonly Segment['step'][] = [...STEPS.map(({ title }) => title), DELETING];

const classOf = (step: Segment['step']): string => `step-${TITLES.indexOf(step) + 1}`;

/** `45s`, `3m20s`. */
const lengthOf = ({ from, to }: { from: number; to: number }): string =>
  ageOf(new Date(from).toISOString(), new Date(to));

/** `instance 20s, node 15s, running for 3m`. */
export const wordsOf = ({ segments }: Bar): string =>
  segments.map((one) => `${one.step} ${one.isOpen ? 'for ' : ''}${lengthOf(one)}`).join(', ');

interface BarOptions {
  bar: Bar;
  span: { from: number; to: number };
}

const Line = ({ bar, span }: BarOptions): Element => {
  const scale = (time: number): number => ((Math.min(time, span.to) - span.from) / (span.to - span.from)) * WIDTH;
  return html`
    <tr>
      <th scope="row">${bar.machine}</th>
      <td>
        <svg class="bars" viewBox=${`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
          ${bar.segments.map((one) => {
            const x = Math.min(scale(one.from), WIDTH - LEAST);
            return html`<rect class=${classOf(one.step)} x=${x} y="0" height="10" width=${Math.max(LEAST, scale(one.to) - x)} />`;
          })}
        </svg>
      </td>
      <td>${wordsOf(bar)}</td>
    </tr>
  `;
};

const Legend = (): Element => html`
  <ul class="legend">
    ${TITLES.map(
      (title) => html`
        <li><svg viewBox="0 0 1 1" aria-hidden="true"><rect class=${classOf(title)} width="1" height="1" /></svg> ${title}</li>
      `,
    )}
  </ul>
`;

export const Timeline = ({ machines, now }: { machines: readonly Machine[]; now: Date }): Element => {
  if (machines.length === 0) return null;
  const bars = barsOf(machines, now);
  const span = spanOf(bars, now);
  return html`
    <h3>Timeline of the machines</h3>
    <p class="dim">${lengthOf(span)} from ${new Date(span.from).toLocaleString()}</p>
    <${Legend} />
    <div class="scroll"><table id="timeline">
      <thead><tr><th scope="col">Machine</th><th scope="col">Steps</th><th scope="col">In words</th></tr></thead>
      <tbody>${bars.map((bar) => html`<${Line} key=${bar.machine} bar=${bar} span=${span} />`)}</tbody>
    </table></div>
  `;
};
