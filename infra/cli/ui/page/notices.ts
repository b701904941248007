import { type Element, html } from './html.ts';

/** Explains why the displayed data is not up to date. */
export const Problem = ({ text }: { text?: string }): Element =>
  text === undefined ? null : html`<p class="notice" role="alert">${text}</p>`;
