import { Problem, retryAfter } from '@trestle/problem/problem'

// The texts are Insight's: its clients look for them.

export function notFound(): Problem {
  return new Problem('unknown', 'NotFound', 'Not found')
}

export function notFollowed(): Problem {
  return new Problem('unknown', 'NotFollowed', 'This index follows other addresses only.')
}

const RETRY_SECONDS = 10

/** Of the first load: how many blocks it has read, and how many there are. */
interface Progress {
  readonly loaded: number
  readonly nodeHeight: number
}

export function notReady({ loaded, nodeHeight }: Progress = { loaded: 0, nodeHeight: 0 }): Problem {
  const percent = Math.min(99, Math.floor((100 * loaded) / (nodeHeight + 1)))
  return new Problem('unavailable', 'NotReady', `Server not yet ready. Sync Percentage:${percent}`, { headers: retryAfter(RETRY_SECONDS) })
}
