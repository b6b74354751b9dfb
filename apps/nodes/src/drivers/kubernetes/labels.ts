import type { DesiredMachine } from '../driver.js'

export const MACHINE = 'trestle.dev/machine'
export const INSTALLATION = 'trestle.dev/installation'
/** On the pods that may call machines: the gateway's, and the controller's, which probes them. */
export const CALLS_MACHINES = { 'trestle.dev/calls-machines': 'true' }

/** The labels of all objects of a machine. */
export function labelsOf({ id, blueprint }: DesiredMachine, installation: string): Record<string, string> {
  return {
    'app.kubernetes.io/name': labelValue(blueprint.daemon),
    'app.kubernetes.io/version': labelValue(blueprint.version),
    'app.kubernetes.io/managed-by': 'trestle-nodes',
    'app.kubernetes.io/part-of': 'trestle-machines',
    [INSTALLATION]: installation,
    [MACHINE]: machineName(id),
  }
}

/** The name of a machine's objects. Names of Services are the strictest: RFC 1035 labels. */
export function machineName(id: string): string {
  // Leaves room for suffixes of some ten characters.
  if (!/^[a-z][a-z0-9-]{0,50}[a-z0-9]$/.test(id))
    throw new Error('The id of a machine must consist of lower-case letters, digits and hyphens.')
  return id
}

/** At most 63 letters, digits, `-`, `_` and `.`, the first and the last a letter or digit. */
export function labelValue(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^[._-]+|[._-]+$/g, '')
}
