/** The editor of an object. It shows the effects of an edit before the edit can be applied. */
import { useState } from 'preact/hooks';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { makePageApi, pageFetch } from './client.ts';
import { type Outcome, sendEdit } from './edit.ts';
import { type Element, html } from './html.ts';
import { yamlOf } from './yaml.ts';

/** The API keeps the existing status, whatever the text contains. */
const withoutStatus = ({ status: _, ...object }: KubeObject & { status?: unknown }): KubeObject => object;

interface Shown {
  outcome: Outcome;
  isApplied: boolean;
}

const Lines = ({ lines }: { lines: readonly string[] }): Element =>
  lines.length === 0
    ? html`<p>No Machine is created, replaced or deleted.</p>`
    : html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;

const Result = ({ shown }: { shown?: Shown }): Element => {
  if (shown === undefined) return null;
  const { outcome, isApplied } = shown;
  if (outcome.isRefused) return html`<p class="notice message">Refused: ${outcome.why}</p>`;
  return html`<h4>${isApplied ? 'Applied' : 'Plan'}</h4><${Lines} lines=${outcome.lines} />`;
};

export const Editor = ({ object, close }: { object: KubeObject; close(): void }): Element => {
  // The object when the edit began: changes from elsewhere must not replace the user's input.
  const [original] = useState(object);
  const [text, setText] = useState(yamlOf(withoutStatus(object)));
  const [planned, setPlanned] = useState<string>();
  const [shown, setShown] = useState<Shown>();
  const [isBusy, setBusy] = useState(false);
  const run = async (dryRun: boolean): Promise<void> => {
    setBusy(true);
    const outcome = await sendEdit({ api: makePageApi(pageFetch), send: pageFetch, original, text, dryRun });
    setShown({ outcome, isApplied: !dryRun });
    setPlanned(dryRun && !outcome.isRefused ? text : undefined);
    setBusy(false);
  };
  const type = ({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value);
  return html`
    <label for="text">Edit the object, then look at the plan. Only what has been planned can be applied.</label>
    <textarea id="text" spellcheck=${false} value=${text} onInput=${type}></textarea>
    <p class="actions">
      <button type="button" id="plan" disabled=${isBusy} onClick=${() => void run(true)}>Show the plan</button>
      <button type="button" id="apply" disabled=${isBusy || planned !== text} onClick=${() => void run(false)}>Apply</button>
      <button type="button" onClick=${close}>Close</button>
    </p>
    <div id="result" role="status" aria-live="polite"><${Result} shown=${shown} /></div>
  `;
};
