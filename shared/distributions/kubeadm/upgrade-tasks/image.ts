/** The parts of an image name. */
export interface Image {
  /** Everything before the last slash; empty if there is none. */
  repository: string;
  name: string;
  tag: string;
  digest: string;
}

export const parseImage = (text: string): Image => {
  const [tagged = '', digest = ''] = text.split('@');
  const slash = tagged.lastIndexOf('/');
  const [name = '', tag = ''] = tagged.slice(slash + 1).split(':');
  return { repository: tagged.slice(0, Math.max(slash, 0)), name, tag, digest };
};

export const formatImage = ({ repository, name, tag }: Omit<Image, 'digest'>): string =>
  `${repository ? `${repository.replace(/(?<!\/)\/+$/, '')}/` : ''}${name}:${tag}`;

/** A version in the form of a tag: `+` and other characters that a tag may not contain become `_`. */
export const tagOf = (version: string): string => version.replaceAll(/[^-a-zA-Z0-9_.]/g, '_');
