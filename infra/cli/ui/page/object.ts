/** One object: its conditions and its YAML, and with --write an editor of it. */
import { useState } from 'preact/hooks';
import { stringify } from 'yaml';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { Conditions } from './conditions.ts';
import { Editor } from './editor.ts';
import { type Element, html } from './html.ts';

/** As kubectl prints it: who manages which field is left out. */
export const yamlOf = ({ apiVersion, kind, metadata, ...rest }: KubeObject): string => {
  const { managedFields: _, ...shown } = metadata as KubeObject['metadata'] & { managedFields?: unknown };
  return stringify({ apiVersion, kind, metadata: shown, ...rest }, { lineWidth: 0 });
};

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
