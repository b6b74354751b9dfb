import { Problem, retryAfter } from '@trestle/problem/problem'

// The texts are Insight's: its clients compare them.

export function notFound(): Problem {
  return new Problem('unknown', 'NotFound', 'Not found')
}

export function notTracked(): Problem {
  return new Problem('unknown', 'NotFollowed', 'This index tracks other addresses only.')
}

const RETRY_SECONDS = 10

/** While the first load is running. */
export function notReady(loaded: number, nodeHeight = 0): Problem {
  const percent = Math.min(99, Math.floor((100 * loaded) / (nodeHeight + 1)))
  return new Problem('unavailable', 'NotReady', `Server not yet ready. Sync Percentage:${percent}`, { headers: retryAfter(RETRY_SECONDS) })
}
