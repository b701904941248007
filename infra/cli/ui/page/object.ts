/** One object: its conditions, its YAML, and, with --write, an editor. */
import { useState } from 'preact/hooks';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { Conditions } from './conditions.ts';
import { Editor } from './editor.ts';
import { type Element, html } from './html.ts';
import { yamlOf } from './yaml.ts';

interface ObjectOptions {
  object: KubeObject;
  canWrite: boolean;
  now: Date;
}

export const ObjectView = ({ object, canWrite, now }: ObjectOptions): Element => {
  const [isEditing, setEditing] = useState(false);
  const { kind, metadata } = object;
  return html`
    <h2>${kind} ${metadata.name}</h2>
    <${Conditions} object=${object} now=${now} />
    <h3>YAML</h3>
    ${canWrite && !isEditing ? html`<p><button type="button" id="edit" onClick=${() => setEditing(true)}>Edit</button></p>` : null}
    ${
      isEditing
        ? html`<${Editor} object=${object} close=${() => setEditing(false)} />`
        : html`<pre tabindex="0" aria-label=${`YAML of ${kind} ${metadata.name}`}>${yamlOf(object)}</pre>`
    }
  `;
};
