/**
 * The part of AWS Fault Injection Service that reclaims spot instances: it is a user's only way to test this on AWS.
 * REST with JSON.
 */
import type { WireRequest, WireResponse } from '../wire/call.ts';
import { AwsFault, notSimulated } from '../wire/fault.ts';
import { jsonFault } from '../wire/json-protocol.ts';
import type { Forward } from '../wire/server.ts';
import { startExperiment } from './run.ts';
import type { Experiment, ExperimentTemplate, Fis } from './state.ts';
import { readTemplate } from './template.ts';

const seconds = (milliseconds: number): number => milliseconds / 1000;

const templateView = ({ createdAt, clientToken: _, ...template }: ExperimentTemplate) => ({
  ...template,
  tags: template.tags ?? {},
  creationTime: seconds(createdAt),
  lastUpdateTime: seconds(createdAt),
});

const experimentView = ({ templateId, startedAt, ...experiment }: Experiment) => ({
  ...experiment,
  experimentTemplateId: templateId,
  creationTime: seconds(startedAt),
  startTime: seconds(startedAt),
  endTime: seconds(startedAt),
});

const found = <Row>(rows: ReadonlyMap<string, Row>, id: string): Row => {
  const row = rows.get(id);
  if (!row) throw new AwsFault('ResourceNotFoundException', `${id} does not exist`, 404);
  return row;
};

const createTemplate = (fis: Fis, body: unknown): ExperimentTemplate => {
  const id = `EXT${fis.place.random.uuid().replaceAll('-', '').slice(0, 18)}`;
  const template = { ...readTemplate(body), id, createdAt: fis.place.clock.now().getTime() };
  fis.templates.set(id, template);
  return template;
};

const deleteTemplate = (fis: Fis, id: string): ExperimentTemplate => {
  const template = found(fis.templates, id);
  fis.templates.delete(id);
  return template;
};

/** By method and path; `ID` stands for an id. */
const ROUTES: Readonly<Record<string, (fis: Fis, id: string, body: unknown) => object>> = {
  'POST /experimentTemplates': (fis, _, body) => ({ experimentTemplate: templateView(createTemplate(fis, body)) }),
  'GET /experimentTemplates': ({ templates }) => ({ experimentTemplates: [...templates.values()].map(templateView) }),
  'GET /experimentTemplates/ID': ({ templates }, id) => ({ experimentTemplate: templateView(found(templates, id)) }),
  'DELETE /experimentTemplates/ID': (fis, id) => ({ experimentTemplate: templateView(deleteTemplate(fis, id)) }),
  'POST /experiments': (fis, _, body) => {
    const { experimentTemplateId = '' } = body as { experimentTemplateId?: string };
    return { experiment: experimentView(startExperiment(fis, experimentTemplateId)) };
  },
  'GET /experiments': ({ experiments }) => ({ experiments: [...experiments.values()].map(experimentView) }),
  'GET /experiments/ID': ({ experiments }, id) => ({ experiment: experimentView(found(experiments, id)) }),
};

/** The simulated operations, with FIS's names. */
export const FIS_OPERATIONS = [
  'CreateExperimentTemplate',
  'DeleteExperimentTemplate',
  'GetExperiment',
  'GetExperimentTemplate',
  'ListExperimentTemplates',
  'ListExperiments',
  'StartExperiment',
] as const;

const answer = (fis: Fis, { method, url, body }: WireRequest): WireResponse => {
  const [, resource = '', id] = decodeURIComponent(url.pathname).split('/');
  const route = ROUTES[`${method} /${resource}${id === undefined ? '' : '/ID'}`];
  if (!route) throw notSimulated(`fis: ${method} ${url.pathname}`);
  const input: unknown = body.length > 0 ? JSON.parse(body.toString('utf8')) : {};
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(route(fis, id ?? '', input)) };
};

/** Answers requests that are signed for `fis`, each for its region. */
export const fisForward =
  (fisOf: (region: string) => Fis): Forward =>
  async (request) => {
    try {
      return answer(fisOf(request.scope.region), request);
    } catch (error) {
      if (error instanceof AwsFault) return jsonFault(error, 'application/json');
      throw error;
    }
  };
