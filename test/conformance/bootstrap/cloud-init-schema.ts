import { spawnSync } from 'node:child_process';
import type { CloudInit } from '../../../infra/cli/conformance/cloud-init.ts';

/** Validates many documents in one process, as `cloud-init schema` validates one file. */
const PROGRAM = `
import json, sys, tempfile
from cloudinit.config.schema import SchemaValidationError, get_schema, validate_cloudconfig_file

schema = get_schema()

def error(document):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(document)
        file.flush()
        try:
            validate_cloudconfig_file(file.name, schema, annotate=False)
        except (SchemaValidationError, RuntimeError) as problem:
            return str(problem)
    return ""

documents = json.load(sys.stdin)
json.dump({name: error(document) for name, document in documents.items()}, sys.stderr)
`;

/** The errors in each document according to cloud-init's schema; empty for a valid document. */
export const validateCloudConfigs = (
  { python, modules }: CloudInit,
  documents: Readonly<Record<string, string>>,
): Record<string, string> => {
  const { status, stderr } = spawnSync(python, ['-c', PROGRAM], {
    encoding: 'utf8',
    input: JSON.stringify(documents),
    env: { ...process.env, PYTHONPATH: modules },
  });
  if (status !== 0) throw new Error(`cloud-init could not check the documents:\n${stderr}`);
  return JSON.parse(stderr) as Record<string, string>;
};
