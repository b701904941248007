/** Draws the plots of docs/performance.md. */
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

/**
 * The SVG of a plot, with its description as the title. Equal specifications give equal pictures. Rejects if Vega-Lite
 * does not understand the specification.
 */
export const drawChart = async (spec: TopLevelSpec): Promise<string> => {
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg.replace(/<svg[^>]*>/, (tag) => `${tag}<title>${spec.description}</title>`)}\n`;
};
