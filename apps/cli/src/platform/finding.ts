/** What was looked at: there, missing, or not there and not needed by everybody. */
export interface Finding {
  readonly name: string
  readonly state: 'ok' | 'missing' | 'optional'
  readonly found: string
  /** How to get it. */
  readonly advice: string
}

/** A clock may be so wrong before tokens are refused. */
const MAX_SKEW_S = 30

/** How wrong this machine's clock is, by what a server says in `Date` (whole seconds) and how long the question took. */
export function clockFinding(date: string | null, before: Date, after: Date): Finding {
  const name = 'clock'
  const advice = 'Set it by the network: timedatectl set-ntp true. Tokens carry times.'
  const server = Date.parse(date ?? '')
  if (Number.isNaN(server)) return { name, state: 'optional', found: 'the server does not tell the time', advice }
  const middle = (before.getTime() + after.getTime()) / 2
  // The server's second has begun at most a second ago.
  const skew = Math.round((middle - server - 500) / 1000)
  const found = Math.abs(skew) <= 1 ? 'right' : `${Math.abs(skew)} s ${skew > 0 ? 'fast' : 'slow'}`
  return { name, state: Math.abs(skew) <= MAX_SKEW_S ? 'ok' : 'missing', found, advice }
}

const OLDEST_NODE = 20

export function nodeFinding(version: string): Finding {
  const isEnough = Number(version.split('.')[0]) >= OLDEST_NODE
  return { name: 'Node', state: isEnough ? 'ok' : 'missing', found: version, advice: `${OLDEST_NODE} or newer: https://nodejs.org` }
}

/** Enough of something, in GiB. */
export function roomFinding(name: string, freeBytes: number, neededGib: number): Finding {
  const free = freeBytes / 2 ** 30
  return {
    name,
    state: free >= neededGib ? 'ok' : 'optional',
    found: `${free.toFixed(1)} GiB free`,
    advice: `trestle up wants ${neededGib} GiB.`,
  }
}
