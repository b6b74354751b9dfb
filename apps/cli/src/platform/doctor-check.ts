/** The result of a check; not everybody needs what is optional. */
export interface DoctorCheck {
  readonly name: string
  readonly state: 'ok' | 'missing' | 'optional'
  readonly found: string
  /** How to get it. */
  readonly advice: string
}

/** With a larger skew tokens are refused. */
const MAX_SKEW_S = 30

/** Compares this machine's clock with a server's `Date` header (whole seconds), given the times of request and response. */
export function clockCheck(date: string | null, before: Date, after: Date): DoctorCheck {
  const name = 'clock'
  const advice = 'Synchronize it: timedatectl set-ntp true. Tokens depend on it.'
  const server = Date.parse(date ?? '')
  if (Number.isNaN(server)) return { name, state: 'optional', found: 'the server sends no Date', advice }
  const middle = (before.getTime() + after.getTime()) / 2
  // The server's second has begun at most a second ago.
  const skew = Math.round((middle - server - 500) / 1000)
  const found = Math.abs(skew) <= 1 ? 'right' : `${Math.abs(skew)} s ${skew > 0 ? 'fast' : 'slow'}`
  return { name, state: Math.abs(skew) <= MAX_SKEW_S ? 'ok' : 'missing', found, advice }
}

const MIN_NODE_VERSION = 20

export function nodeCheck(version: string): DoctorCheck {
  const isEnough = Number(version.split('.')[0]) >= MIN_NODE_VERSION
  return { name: 'Node', state: isEnough ? 'ok' : 'missing', found: version, advice: `${MIN_NODE_VERSION} or newer: https://nodejs.org` }
}

/** Enough of something, in GiB. */
export function spaceCheck(name: string, freeBytes: number, neededGib: number): DoctorCheck {
  const free = freeBytes / 2 ** 30
  return {
    name,
    state: free >= neededGib ? 'ok' : 'optional',
    found: `${free.toFixed(1)} GiB free`,
    advice: `trestle up needs ${neededGib} GiB.`,
  }
}
