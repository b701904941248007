/** Templates of the page, which need no compiler and no eval. */
import { html as template } from 'htm/preact';
import type { VNode } from 'preact';

/** An element, or nothing. */
export type Element = VNode | null;

export const html: (strings: TemplateStringsArray, ...values: unknown[]) => VNode = template;
