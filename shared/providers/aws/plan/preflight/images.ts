import { describeQuery, type ImageQuery } from '../launch/image.ts';
import { type Fact, type Facts, imageKey, type WantedMachines } from './model.ts';

interface Report {
  missing: string[];
  value<T>(what: string, fact: Fact<T> | undefined): T | undefined;
}

const supportedBy = (facts: Facts, [type = '']: readonly string[]): readonly string[] =>
  facts.types && 'value' in facts.types ? (facts.types.value.get(type)?.architectures ?? []) : [];

/** The errors in the image of machines: there is none, or their type cannot start it. */
export const imageFindings = (
  report: Report,
  facts: Facts,
  { template, field: prefix, instanceTypes, machine }: WantedMachines,
  query: ImageQuery | undefined,
): void => {
  const fact = query && facts.images.get(imageKey(query));
  if (!query || !fact) return;
  const field = `${template} ${prefix}.${machine.spec.ami?.id ? 'ami.id' : 'ami'}`;
  const image = report.value(`image of ${template}`, fact);
  if ('unknown' in fact) return;
  if (!image) {
    report.missing.push(
      `${field}: there is no image with ${describeQuery(query)}; name one or share it with the account`,
    );
    return;
  }
  if (image.state !== 'available') report.missing.push(`${field}: image ${image.id} is ${image.state}, not available`);
  if (image.rootDeviceType !== 'ebs')
    report.missing.push(`${field}: the root device of image ${image.id} is ${image.rootDeviceType}; it has to be ebs`);
  const supported = supportedBy(facts, instanceTypes);
  if (supported.length > 0 && !supported.includes(image.architecture))
    report.missing.push(
      `${field}: image ${image.id} is for ${image.architecture}, and ${instanceTypes[0]} runs ${supported.join(' or ')}`,
    );
};
