import type { DesiredMachine } from '../driver.js'

export const MACHINE = 'trestle.dev/machine'
export const INSTALLATION = 'trestle.dev/installation'
/** Pods that may call machines have it: the gateway's, and the controller's, which asks them how they are. */
export const CALLS_MACHINES = { 'trestle.dev/calls-machines': 'true' }

/** What all objects of a machine are labelled with. */
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

/** What a machine's objects are named; names of Services, which are the strictest, are RFC 1035 labels. */
export function machineName(id: string): string {
  // Some ten more characters are put to it.
  if (!/^[a-z][a-z0-9-]{0,50}[a-z0-9]$/.test(id)) throw new Error('A machine must have an id of small letters, digits and hyphens.')
  return id
}

/** At most 63 letters, digits, `-`, `_` and `.`, the first and the last a letter or digit. */
export function labelValue(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^[._-]+|[._-]+$/g, '')
}
