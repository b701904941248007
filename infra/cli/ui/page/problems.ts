import { ageOf } from '../../describe/age.ts';
import type { Problem } from '../../describe/problems.ts';
import { type Element, html } from './html.ts';
import { objectAddress } from './route.ts';

/** The number of objects that are named; further objects are only counted. */
const NAMED = 5;

interface ProblemsOptions {
  problems: readonly Problem[];
  namespace: string;
  cluster: string;
  now: Date;
}

const Names = ({
  objects,
  namespace,
  cluster,
}: Pick<ProblemsOptions, 'namespace' | 'cluster'> & Pick<Problem, 'objects'>) => {
  const rest = objects.length - NAMED;
  const links = objects
    .slice(0, NAMED)
    .map((object, at) => html`${at > 0 ? ', ' : ''}<a href=${objectAddress(namespace, cluster, object)}>${object}</a>`);
  return html`${links}${rest > 0 ? ` and ${rest} more` : ''}`;
};

const Item = ({ problem, ...options }: Omit<ProblemsOptions, 'problems'> & { problem: Problem }): Element => {
  const { objects, type, reason, message, since, isError, next } = problem;
  const code = reason === '' || reason === type ? '' : ` (${reason})`;
  return html`
    <li class=${isError ? 'error' : ''}>
      <p>
        <strong class=${isError ? 'bad' : 'wait'}>${isError ? 'Error' : 'Waiting'}</strong>${' '}
        <${Names} objects=${objects} ...${options} />: <strong>${type}</strong>${code}
        ${since === '' ? '' : ` for ${ageOf(since, options.now)}`}
      </p>
      ${message === '' ? null : html`<p class="message">${message}</p>`}
      ${next === undefined ? null : html`<p><strong>Next:</strong> ${next}</p>`}
    </li>
  `;
};

/** All problems and pending work, with suggestions for what to try next. */
export const Problems = ({ problems, ...options }: ProblemsOptions): Element => html`
  <h3>Problems</h3>
  ${
    problems.length === 0
      ? html`<p class="good">There are no problems.</p>`
      : html`<ul class="problems">${problems.map((problem) => html`<${Item} problem=${problem} ...${options} />`)}</ul>`
  }
`;
